import { textToHtml } from '../template/layout/text-to-html.js';
import type { TemplateParts } from '../template/template.js';
import type { Frequency } from '../ruleset/frequency.js';
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
const TEXT = `{% for entry in digest.entries %}{% if entry.title %}{{ entry.title }}
{% endif %}{% if entry.text %}{{ entry.text }}
{% endif %}
{% endfor %}{{ digest.rest }}`;
const HTML = `{% for entry in digest.entries %}{% if entry.title %}<h3>{{ entry.title }}</h3>
{% endif %}{{ entry.html | raw }}
{% endfor %}{% if digest.rest %}<p>{{ digest.rest }}</p>{% endif %}`;
const LINES = `{{ digest.title }}
{% for entry in digest.entries %}- {{ entry.title }}
{% endfor %}{{ digest.rest }}`;

/** The template of a digest of a category, and the `digest` that it shows. */
export function digestTemplate(digest: DigestParts): { parts: TemplateParts; digest: object } {
  const { template, isLong, frequency, category, count, entries } = digest;
  const { language, words } = digestWords(digest.locale);
  const shown = isLong ? entries.map(longEntry) : entries.slice(0, MAX_LINES).map(lineOf);
  const rest = count > shown.length ? words.more.replace('{count}', String(count - shown.length)) : '';
  const { layout, shared, from, reply_to, headers } = template;
  const hasHtml = isLong && Boolean(template.html ?? template.markdown);
  return {
    parts: {
      ...{ subject: SUBJECT, text: isLong ? TEXT : LINES, html: hasHtml ? HTML : null },
      ...{ layout, shared, from, reply_to, headers, lang: language },
    },
    digest: { title: `${category}: ${words[frequency]} (${count})`, entries: shown, rest },
  };
}

function longEntry({ result, event }: DigestEntry) {
  if (!result.ok) return { title: event, text: '', html: '' };
  const { subject, text: whole, rich } = result.message;
  const text = [cut(whole.trim(), MAX_TEXT), rich?.url ?? ''].filter((each) => each !== '').join('\n\n');
  return { title: text === '' ? subject || event : subject, text, html: text === '' ? '' : textToHtml(text) };
}

function lineOf({ result, event }: DigestEntry) {
  if (!result.ok) return { title: event };
  const { subject, text } = result.message;
  const line = subject || (text.trim().split('\n')[0] ?? '');
  return { title: cut(line, MAX_LINE) || event };
}

/** The cut must not split a character. */
const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/\p{Surrogate}$/u, '')}…` : text;
