import { writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { translate } from '../../language/translate.js';
import { compileTemplate, renderTemplate } from '../template.js';
import type { RenderContext, TranslatedParts } from '../template.js';
import { DEFAULT_LAYOUT } from './default-layout.js';
import type { Brand } from './shared.js';

const NAMED = { slug: 'acme', name: 'Acme & Co' };
const brand: Brand = {
  color: '#1a7f37',
  address: 'Main Street 1, 12345 Springfield',
  links: [
    { label: 'Help', url: 'https://acme.test/help?a=1&b=2' },
    { label: 'Shop', url: 'https://acme.test/' },
  ],
};
const MARKDOWN = `# Order A-17 is on its way

Hi **Ann**, thank you for your order. We packed it today.

| What | How many |
| --- | --- |
| Tea pot | 1 |
| Cups | 4 |

{% render 'button', url: 'https://acme.test/o/A-17', label: 'Follow your order' %}

- It arrives on Friday.
- Questions? [Write to us](https://acme.test/help).`;
const partials = {
  button: {
    html: '<p><a href="{{ url }}" style="display:inline-block;padding:12px 20px;border-radius:6px;background-color:{{ brand.color }};color:#ffffff;font-weight:600;text-decoration:none">{{ label }}</a></p>',
    text: '{{ label }}: {{ url }}',
  },
};

const render = (
  parts: TranslatedParts,
  locale = 'en',
  more: Partial<RenderContext> = {},
  given: Brand = brand,
  usual: string | null = null,
) => {
  const shared = { layout: DEFAULT_LAYOUT, partials, brand: given };
  const { parts: translated } = translate({ subject: 'On its way', ...parts, shared }, locale, usual);
  return renderTemplate(
    compileTemplate(translated),
    {
      ...{ context: {}, user: { first_name: 'Ann' }, region: { locale, timeZone: 'UTC', usual } },
      ...{ event: NAMED, application: NAMED, project: NAMED, organization: NAMED, occurrence: {}, channel: NAMED },
      ...{ unsubscribe_url: 'https://acme.test/u/1', preferences_url: 'https://acme.test/p/1' },
      ...more,
    },
    { work: 20_000_000 },
  );
};

describe('the default layout', () => {
  it('makes a whole mail of Markdown, with name, color, address, links and the ways out', () => {
    const { html, text } = render({ markdown: MARKDOWN });
    if (process.env.SHOW_MAIL) writeFileSync(process.env.SHOW_MAIL, html);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    expect(html).toContain('<title>On its way</title>');
    expect(html).toContain('border-top:4px solid #1a7f37');
    expect(html).toContain('Acme &amp; Co &middot; Main Street 1, 12345 Springfield');
    expect(html).toContain('<a href="https://acme.test/help?a=1&amp;b=2" style="color:#57606a">Help</a> &middot; <a');
    expect(html).toMatch(/href="https:\/\/acme.test\/u\/1"[^>]*>Unsubscribe<\/a> &middot; <a [^>]*>Preferences</);
    expect(html).toContain('prefers-color-scheme: dark');
    expect(text).toMatch(
      /\n\n--\nAcme & Co, Main Street 1, 12345 Springfield\nHelp: https:\/\/acme.test\/help\?a=1&b=2\n/,
    );
    expect(text).toMatch(/Unsubscribe: https:\/\/acme.test\/u\/1\nPreferences: https:\/\/acme.test\/p\/1$/);
  });

  it('works without a brand, without links to leave, and with a text only', () => {
    const { html, text } = render(
      { text: 'Hi\n\nBye' },
      'en',
      { unsubscribe_url: undefined, preferences_url: undefined },
      {},
    );
    expect(html).toContain('<p>Hi</p>\n<p>Bye</p>');
    expect(html).toContain('border-top:4px solid #1f2328');
    expect(html).not.toMatch(/Unsubscribe|Preferences|<img/);
    expect(text).toBe('Hi\n\nBye\n\n--\nAcme & Co');
  });

  it('has the language and the direction of its texts, and not of its reader', () => {
    const translated = (locale: string, usual: string | null = null) =>
      render(
        { text: 'Hi', translations: { de: { text: 'Hallo' }, ar: { subject: 'مرحبا' } } },
        locale,
        {},
        brand,
        usual,
      );
    expect(translated('de-AT').html).toMatch(/<html lang="de" dir="ltr">[^]*Abmelden[^]*Einstellungen/);
    expect(translated('fr').html).toMatch(/<html lang="en" dir="ltr">[^]*Unsubscribe/);
    expect(translated('fr', 'it').html).toMatch(/<html lang="it" dir="ltr">[^]*Annulla/);
    // Only the subject is in Arabic.
    expect(translated('ar-EG').html).toMatch(/<html lang="en" dir="ltr">/);
    expect(render({ text: 'Hi' }, 'ar').html).toMatch(/<html lang="en" dir="ltr">/);
    expect(render({ text: 'Hi' }, 'ar', {}, brand, 'ar').html).toMatch(/<html lang="ar" dir="rtl">/);
  });

  it('has the language of the messages that it uses', () => {
    const messages = { ar: { hi: 'مرحبا' }, de: { hi: 'Hallo' } };
    expect(render({ text: "{{ 'hi' | t }}", messages }, 'ar-EG').html).toMatch(/<html lang="ar" dir="rtl">/);
    expect(render({ text: "{{ 'hi' | t }}", messages }, 'sv', {}, brand, 'de').html).toMatch(
      /<html lang="de" dir="ltr">/,
    );
  });

  it('does not take a language for another one that begins with the same letters', () => {
    for (const locale of ['jam', 'arn-CL', 'den'])
      expect(render({ text: 'Hi' }, locale, {}, brand, locale).html).toMatch(/Unsubscribe[^]*Preferences/);
  });

  it('shows a logo with a text for those who do not see it', () => {
    expect(
      render({ text: 'Hi' }, 'en', {}, { logo: 'https://acme.test/l.png', logo_width: 100, logo_height: 40 }).html,
    ).toContain('<img class="logo" src="https://acme.test/l.png" alt="Acme &amp; Co" width="100" height="40"');
  });

  it('is far below 102 KB', () => {
    expect(render({ markdown: MARKDOWN }).html.length).toBeLessThan(12 * 1024);
  });
});
