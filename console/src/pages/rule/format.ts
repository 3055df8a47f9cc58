import { text } from '../../text/text';
import { inMjml } from './parts';
import type { RuleTemplate } from './parts';

export const FORMATS = ['markdown', 'html', 'mjml', 'text'] as const;
export type Format = (typeof FORMATS)[number];

type Body = Pick<RuleTemplate, Format | 'layout'>;

/** What a template said in each format when another one was chosen. */
export type FormatsLeft = Partial<Record<Format, Body>>;

export const formatOf = (body: Body): Format =>
  FORMATS.find((one) => one !== 'text' && typeof body[one] === 'string') ?? 'text';

/** The template in another format. What it says now goes into `left`, and comes back when its format is chosen again. */
export function inFormat(template: RuleTemplate, next: Format, left: FormatsLeft): RuleTemplate {
  const { markdown, html, mjml, text: plain, layout } = template;
  left[formatOf(template)] = { markdown, html, mjml, text: plain, layout };
  return { ...template, ...(left[next] ?? begin(next, sourceOf(template, left))) };
}

/** What a new format begins with. MJML makes no sense in another one: then it is what was there before, or nothing. */
const sourceOf = (template: RuleTemplate, left: FormatsLeft): Body =>
  formatOf(template) !== 'mjml'
    ? template
    : (left.markdown ?? left.html ?? left.text ?? { ...template, mjml: null, html: '' });

function begin(next: Format, from: Body): Body {
  const format = formatOf(from);
  const body = from[format] ?? '';
  const empty = { markdown: null, html: null, mjml: null, layout: from.layout };
  if (next === 'text') return { ...empty, text: from.text || body };
  const plain = format === 'text' ? null : from.text;
  if (next !== 'mjml') return { ...empty, text: plain, [next]: body };
  // MJML is a whole mail, without a layout. Markdown and HTML would not look as they do.
  const isUsable = body !== '' && (format === 'text' || body.includes('<mjml'));
  return { ...empty, layout: null, text: plain, mjml: inMjml(isUsable ? body : text.rule.mjmlSample) };
}
