import { Liquid } from 'liquidjs';
import { isObject } from '../../platform/field/is-object.js';
import { cutText } from '../cut-text.js';

const PARSED_LENGTH = 4_000;

/** Work of one output, in characters and the like: LiquidJS stops beyond it. */
const MAX_WORK = 50_000_000;

/** Filters whose result is not much longer than their input, and whose work LiquidJS limits. */
const FILTERS = [
  'append',
  'base64_encode',
  'capitalize',
  'default',
  'downcase',
  'first',
  'join',
  'json',
  'last',
  'lstrip',
  'prepend',
  'rstrip',
  'size',
  'strip',
  'strip_newlines',
  'upcase',
  'url_encode',
];

/** The Liquid of provider files, with its filters. */
export const liquid = new Liquid({
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: PARSED_LENGTH,
  memoryLimit: MAX_WORK,
  renderLimit: 1_000,
  templates: {},
  timezoneOffset: 0,
  locale: 'en-US',
});

export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

for (const name of Object.keys(liquid.filters)) if (!FILTERS.includes(name)) delete liquid.filters[name];
liquid.registerFilter('cut', (value: unknown, length: unknown, mark?: string) =>
  cutText(textOf(value), Number(length), mark),
);

/** LiquidJS does not limit its own: a chain of them could make a short text gigabytes long. */
const MAX_REPLACED = 2_000_000;
const MAX_PATTERN = 100;

liquid.registerFilter('replace', function (value: unknown, pattern: unknown, replacement: unknown) {
  const [text, from, to] = [textOf(value), textOf(pattern), textOf(replacement)];
  if (from === '') return text;
  const most = text.length + (text.length / from.length) * to.length;
  if (from.length > MAX_PATTERN || most > MAX_REPLACED + text.length)
    throw new Error('replace makes the text too long');
  this.context.memoryLimit.use(most);
  return text.replaceAll(from, () => to);
});

/** The subject in a chat: a line of its own, between marks. Without a subject there is no line. */
liquid.registerFilter('heading', (value: unknown, mark: unknown = '') => {
  const title = textOf(value).trim();
  return title === '' ? '' : `${textOf(mark)}${title}${textOf(mark)}\n`;
});

/** Two texts, each on lines of its own. An empty one makes no line. */
liquid.registerFilter('above', function (value: unknown, next: unknown) {
  const texts = [textOf(value), textOf(next)].filter((text) => text !== '');
  this.context.memoryLimit.use(texts.reduce((sum, { length }) => sum + length, 0));
  return texts.join('\n');
});

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** `&`, `<` and `>` as entities, so that data makes no markup. The text is cut at a length that counts them, and none is cut in two. */
liquid.registerFilter('entities', function (value: unknown, length: unknown = Infinity) {
  const most = Number(length);
  // Entities only make the text longer: the rest would be cut in any case.
  const escaped = textOf(value)
    .slice(0, most + 1)
    .replace(/[&<>]/g, (char) => ENTITIES[char]!);
  this.context.memoryLimit.use(escaped.length);
  return cutText(escaped, most).replace(/&[a-z]*…$/, '…');
});

/** Each line as a paragraph, for Markdown that would join lines. */
liquid.registerFilter('paragraphs', (value: unknown) => textOf(value).replace(/[\r\n]+/g, '\n\n'));

/** `@all` becomes plain text, with a space of no width in it. E-mail addresses stay as they are. */
liquid.registerFilter('no_mentions', (value: unknown) =>
  textOf(value).replace(/(?<![\p{L}\p{N}_])@(?=[\p{L}\p{N}_])/gu, '@\u200b'),
);

/** A field of a setting that is JSON, such as a key file. */
liquid.registerFilter('from_json', (value: unknown, key: unknown) => {
  try {
    const parsed = JSON.parse(textOf(value)) as unknown;
    return isObject(parsed) && Object.hasOwn(parsed, textOf(key)) ? parsed[textOf(key)] : '';
  } catch {
    return '';
  }
});

/** The rest of a text that begins like this; of another one, nothing. */
liquid.registerFilter('after', (value: unknown, start: unknown) =>
  textOf(value).startsWith(textOf(start)) ? textOf(value).slice(textOf(start).length) : '',
);

/** The text, unless it begins like this. */
liquid.registerFilter('unless_begins', (value: unknown, start: unknown) =>
  textOf(value).startsWith(textOf(start)) ? '' : textOf(value),
);

/** A number of seconds as protocol buffers write them, `3600s`, and no more than the service takes. */
liquid.registerFilter('duration', (value: unknown, most: unknown) =>
  typeof value === 'number' ? `${Math.min(value, Number(most))}s` : '',
);

/** A map without these keys, such as the headers that a service refuses. */
liquid.registerFilter('without', (value: unknown, ...keys: unknown[]) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) : value,
);
