import { escapeHtml } from '../template/markdown.js';
import { textToHtml } from '../template/layout/text-to-html.js';
import type { TemplateParts } from '../template/template.js';
import type { Frequency } from '../frequency/category-digests.js';
import { digestWords } from './digest-words.js';
import type { RenderResult } from './render-result.js';

/** A message of a digest, as its own template wrote it. */
export interface DigestEntry {
  result: RenderResult;
  /** Stands for a message that could not be written. */
  event: string;
}

interface DigestParts {
  entries: DigestEntry[];
  /** How many messages it has, with those that are not among the entries. */
  count: number;
  category: string;
  frequency: Frequency;
  locale: string;
  /** The template of its last message: the layout and the sender of the digest are those of this template. */
  template: TemplateParts;
  /** Whether the channel shows HTML, and so whole texts. Others show a line for each message. */
  isLong: boolean;
}

/** What is shown of a message, and of how many. */
const MAX_TEXT = 2000;
const MAX_LINE = 120;
const MAX_LINES = 10;

const SUBJECT = '{{ digest.title }}';
const TEXT = '{{ digest.text }}';
const HTML = '{{ digest.html | raw }}';

/** The template of a digest of a category, and the `digest` that it shows. */
export function digestTemplate({
  entries,
  count,
  category,
  frequency,
  locale,
  template,
  isLong,
}: DigestParts): DigestTemplate {
  const { language, words } = digestWords(locale);
  const shown = isLong ? entries.map(whole) : entries.slice(0, MAX_LINES).map(line);
  const rest = count > shown.length ? [words.more.replace('{count}', String(count - shown.length))] : [];
  const title = `${category}: ${words[frequency]} (${count})`;
  const { layout, shared, from, reply_to, headers } = template;
  const hasHtml = isLong && Boolean(template.html ?? template.markdown);
  const texts = [...shown.map(({ text }) => text), ...rest];
  return {
    parts: {
      ...{ subject: SUBJECT, text: TEXT, html: hasHtml ? HTML : null },
      ...{ layout, shared, from, reply_to, headers, lang: language },
    },
    digest: {
      title,
      text: isLong ? texts.join('\n\n') : [title, ...texts].join('\n'),
      html: [...shown.map(({ html }) => html), ...rest.map(textToHtml)].join('\n'),
    },
  };
}

interface DigestTemplate {
  parts: TemplateParts;
  digest: Record<'title' | 'text' | 'html', string>;
}

/** The message with its text and its link. */
function whole({ result, event }: DigestEntry) {
  const { subject, text, rich } = result.ok ? result.message : { subject: event, text: '', rich: undefined };
  const body = [cut(text.trim(), MAX_TEXT), rich?.url ?? ''].filter((each) => each !== '').join('\n\n');
  const title = subject || (body === '' ? event : '');
  const html = [...(title ? [`<h3>${escapeHtml(title)}</h3>`] : []), ...(body ? [textToHtml(body)] : [])];
  return { text: [title, body].filter((each) => each !== '').join('\n'), html: html.join('\n') };
}

/** The message as one line. */
function line({ result, event }: DigestEntry) {
  const { subject, text } = result.ok ? result.message : { subject: event, text: '' };
  const words = subject || text.trim().split('\n')[0] || event;
  return { text: `- ${cut(words, MAX_LINE)}`, html: '' };
}

/** The cut must not split a character. */
const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/\p{Surrogate}$/u, '')}…` : text;
