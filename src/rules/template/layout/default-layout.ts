import type { FragmentSource } from './shared.js';

/*
 * The layout `default`: a card on a page, 600 px wide or as wide as a phone. Tables and styles in attributes are for mail programs that know nothing
 * else; the style sheet adds dark mode, phones, and the elements that Markdown makes.
 */

const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body, table, td, a { -webkit-text-size-adjust: 100%; -ms-text-size-adjust: 100%; }
.content > :first-child { margin-top: 0; }
.content > :last-child { margin-bottom: 0; }
.content p, .content ul, .content ol, .content blockquote, .content pre, .content table { margin: 0 0 16px; }
.content ul, .content ol { padding-left: 24px; padding-right: 24px; }
.content > table { width: 100%; border-collapse: collapse; }
.content > table th { padding: 0 0 8px; font-size: 13px; line-height: 20px; text-align: start; color: #57606a; }
.content > table td { padding: 10px 0; border-top: 1px solid #e3e6ea; vertical-align: top; }
.content > table th + th, .content > table td + td { padding-left: 12px; padding-right: 12px; }
.content > table [align=center] { text-align: center; }
.content > table [align=right] { padding-right: 0; text-align: right; }
.content h1 { margin: 0 0 16px; font-size: 24px; line-height: 32px; }
.content h2 { margin: 24px 0 12px; font-size: 20px; line-height: 28px; }
.content h3, .content h4 { margin: 24px 0 8px; font-size: 16px; line-height: 24px; }
.content a { color: #0b57d0; }
.content img { max-width: 100%; height: auto; border: 0; }
.content blockquote { padding: 0 0 0 16px; border-left: 3px solid #d0d7de; color: #57606a; }
.content code, .content pre { font-family: Menlo, Consolas, monospace; font-size: 14px; }
.content pre { padding: 12px; border-radius: 6px; background-color: #f3f4f6; overflow-x: auto; }
.content hr { margin: 24px 0; border: 0; border-top: 1px solid #d0d7de; }
@media (max-width: 620px) {
  .outer { padding: 0 !important; }
  .card { border-radius: 0 !important; }
  .pad { padding-left: 20px !important; padding-right: 20px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background-color: #0f1216 !important; }
  .card { background-color: #1a1f26 !important; }
  .logo { padding: 8px 12px; border-radius: 8px; background-color: #ffffff; }
  .name, .content { color: #e8ebee !important; }
  .content a { color: #8ab4f8; }
  .content blockquote { border-color: #3d4650; color: #a9b3bd; }
  .content pre { background-color: #0f1216; }
  .content hr, .content > table td { border-color: #3d4650; }
  .content > table th { color: #a9b3bd; }
  .foot, .foot a { color: #a3adb8 !important; }
}`;

const FONT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

/** In the languages of the pages that the links lead to. */
const WORDS = `{% assign language = message.lang | split: '-' | first %}{% case language %}
{%- when 'de' %}{% assign leave = 'Abmelden' %}{% assign choose = 'Einstellungen' %}
{%- when 'it' %}{% assign leave = 'Annulla iscrizione' %}{% assign choose = 'Preferenze' %}
{%- when 'fr' %}{% assign leave = 'Se désabonner' %}{% assign choose = 'Préférences' %}
{%- when 'es' %}{% assign leave = 'Darse de baja' %}{% assign choose = 'Preferencias' %}
{%- when 'pt' %}{% assign leave = 'Cancelar inscrição' %}{% assign choose = 'Preferências' %}
{%- when 'nl' %}{% assign leave = 'Uitschrijven' %}{% assign choose = 'Voorkeuren' %}
{%- when 'pl' %}{% assign leave = 'Wypisz się' %}{% assign choose = 'Preferencje' %}
{%- when 'ja' %}{% assign leave = '配信停止' %}{% assign choose = '設定' %}
{%- when 'ar' %}{% assign leave = 'إلغاء الاشتراك' %}{% assign choose = 'التفضيلات' %}
{%- else %}{% assign leave = 'Unsubscribe' %}{% assign choose = 'Preferences' %}
{%- endcase -%}`;

/** Outlook on Windows knows no maximal width. */
const OUTLOOK_START =
  '<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->';
const OUTLOOK_END = '<!--[if mso]></td></tr></table><![endif]-->';

const HTML = `${WORDS}<!doctype html>
<html lang="{{ message.lang }}" dir="{{ message.dir }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{{ message.subject }}</title>
<style>${STYLE}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f3f4f6">
<tr><td class="outer" align="center" style="padding:32px 16px">
${OUTLOOK_START}
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;background-color:#ffffff;border-radius:8px;border-top:4px solid {{ brand.color | default: '#1f2328' }}">
<tr><td class="pad name" style="padding:28px 40px 0;${FONT};font-size:18px;line-height:28px;font-weight:600;color:#1f2328">
{%- if brand.logo %}<img class="logo" src="{{ brand.logo }}" alt="{{ organization.name }}" width="{{ brand.logo_width }}" height="{{ brand.logo_height }}" style="display:block;border:0">
{%- else %}{{ organization.name }}{% endif -%}
</td></tr>
<tr><td class="pad content" style="padding:24px 40px 40px;${FONT};font-size:16px;line-height:24px;color:#1f2328">
{{ content }}
</td></tr>
</table>
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td class="pad foot" align="center" style="padding:24px 40px 32px;${FONT};font-size:13px;line-height:20px;color:#57606a">
{%- if brand.links %}
<p style="margin:0 0 8px">
{%- for link in brand.links %}{% unless forloop.first %} &middot; {% endunless %}<a href="{{ link.url }}" style="color:#57606a">{{ link.label }}</a>{% endfor -%}
</p>
{%- endif %}
<p style="margin:0">{{ organization.name }}{% if brand.address %} &middot; {{ brand.address }}{% endif %}</p>
{%- if unsubscribe_url or preferences_url %}
<p style="margin:8px 0 0">
{%- if unsubscribe_url %}<a href="{{ unsubscribe_url }}" style="color:#57606a">{{ leave }}</a>{% endif %}
{%- if unsubscribe_url and preferences_url %} &middot; {% endif %}
{%- if preferences_url %}<a href="{{ preferences_url }}" style="color:#57606a">{{ choose }}</a>{% endif -%}
</p>
{%- endif %}
</td></tr>
</table>
${OUTLOOK_END}
</td></tr>
</table>
</body>
</html>`;

const TEXT = `${WORDS}{{ content }}

--
{{ organization.name }}{% if brand.address %}, {{ brand.address }}{% endif %}
{%- for link in brand.links %}
{{ link.label }}: {{ link.url }}
{%- endfor %}
{%- if unsubscribe_url %}
{{ leave }}: {{ unsubscribe_url }}
{%- endif %}
{%- if preferences_url %}
{{ choose }}: {{ preferences_url }}
{%- endif %}`;

/** The layout `default`, which every organization has until it stores its own. */
export const DEFAULT_LAYOUT: FragmentSource = { html: HTML, text: TEXT };
