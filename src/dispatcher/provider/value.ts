import { Context, Liquid, Output, toValueSync, type Template } from 'liquidjs';
import { checkWhen, namesIn, usesInValue, valueIn } from '../../platform/field/expression/when.js';
import { StepBudget } from '../../platform/field/expression/when-value.js';
import { isObject } from '../../platform/field/is-object.js';
import { cutText } from '../cut-text.js';
import type { FilePlace } from './read/place.js';

/** The names that the values of a request use. */
export type Variables = Readonly<Record<string, unknown>>;

/** A value of a file, made once. It is computed for each message; undefined: it is left out. */
export type Value = (names: Variables) => unknown;

/** Which names exist: the first step, and those below it where they are known. */
export type KnownNames = Readonly<Record<string, readonly string[] | null>>;

const PARSED_LENGTH = 4_000;

/** Work of one output, in characters and the like: LiquidJS stops beyond it. */
const MAX_WORK = 50_000_000;

/** Of all outputs of a request: the largest mail as base64, and some more. */
const MAX_CHARACTERS = 50_000_000;

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

const liquid = new Liquid({
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: PARSED_LENGTH,
  memoryLimit: MAX_WORK,
  renderLimit: 1_000,
  templates: {},
  timezoneOffset: 0,
  locale: 'en-US',
});

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

/** A text around its outputs, such as `Bearer {{ settings.token }}`. Outputs only: a file has no loops and no branches. */
export function textValue(
  place: FilePlace,
  known: KnownNames,
  encode?: (text: string) => string,
  source = place.text(),
): Value {
  if (!source.includes('{{') && !source.includes('{%')) return () => source;
  const parts = place.try(() => liquid.parse(source));
  if (parts.some((part) => 'tagToken' in part || part.token.kind === 4)) place.fail('must not have tags ({% ... %})');
  place.try(() => checkNames(liquid.globalVariableSegmentsSync(parts) as unknown[][], known));
  const [only] = parts;
  if (parts.length === 1 && only instanceof Output && !encode) return (names) => outputOf(only, names);
  return (names) => parts.map((part) => pieceOf(part, names, encode)).join('');
}

function pieceOf(part: Template, names: Variables, encode: ((text: string) => string) | undefined): string {
  if (!(part instanceof Output)) return liquid.renderSync([part], names) as string;
  const text = textOf(outputOf(part, names));
  return encode ? encode(text) : text;
}

/** What the values of one request may cost together. Customers write some of these files. */
interface Work {
  steps: StepBudget;
  characters: number;
}

const works = new WeakMap<Variables, Work>();

function workOf(names: Variables): Work {
  const known = works.get(names) ?? { steps: new StepBudget(), characters: 0 };
  works.set(names, known);
  return known;
}

function outputOf(output: Output, names: Variables): unknown {
  const value = evaluated(output, names);
  const work = workOf(names);
  work.characters += typeof value === 'string' ? value.length : 0;
  if (work.characters > MAX_CHARACTERS) throw new Error('the request is too large');
  return value;
}

function evaluated(output: Output, names: Variables): unknown {
  const context = new Context(names, liquid.options, { sync: true });
  return toValueSync(output.value.value(context, false));
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Texts with outputs, and lists and maps of them. `{ $expr: ... }` is the value of a JMESPath expression. */
export function anyValue(place: FilePlace, known: KnownNames): Value {
  const { value } = place;
  if (typeof value === 'string') return value === '' ? () => '' : textValue(place, known);
  if (Array.isArray(value)) return listValue(place, known);
  if (!isObject(value)) return () => value;
  const expression = place.at('$expr');
  return expression ? expressionValue(place.only(['$expr']).need('$expr'), known) : mapValue(place, known);
}

function expressionValue(place: FilePlace, known: KnownNames): Value {
  const expression = checked(place, known);
  return (names) => withoutEmpty(valueIn(expression, names, workOf(names).steps));
}

/** The text of a JMESPath expression that can be used with these names. */
export function checked(place: FilePlace, known: KnownNames): string {
  const expression = place.text();
  const problem = checkWhen(expression);
  if (problem !== null) place.fail(`is not valid: ${problem}`);
  const paths = [...usesInValue(expression).map(({ path }) => path), ...namesIn(expression).map((name) => [name])];
  place.try(() => checkNames(paths as unknown[][], known));
  return expression;
}

function checkNames(paths: readonly (readonly unknown[])[], known: KnownNames): void {
  for (const [first, second] of paths) {
    if (typeof first !== 'string') continue;
    const below = Object.hasOwn(known, first) ? known[first] : undefined;
    if (below === undefined) throw new Error(`there is no ${first}; there are ${Object.keys(known).join(', ')}`);
    if (below && typeof second === 'string' && !below.includes(second))
      throw new Error(
        `there is no ${first}.${second}; there are ${below.map((name) => `${first}.${name}`).join(', ')}`,
      );
  }
}

/** A list that the file wrote empty stays. One whose items are all left out is left out. */
function listValue(place: FilePlace, known: KnownNames): Value {
  const items = place.items().map((item) => anyValue(item, known));
  if (items.length === 0) return () => [];
  return (names) => items.map((item) => item(names)).filter((item) => !isEmpty(item));
}

function mapValue(place: FilePlace, known: KnownNames): Value {
  const entries = place.entries().map(([key, value]) => [key, anyValue(value, known), value.value] as const);
  if (entries.length === 0) return () => ({});
  return (names) =>
    Object.fromEntries(
      entries.flatMap(([key, make, written]) => {
        const value = make(names);
        // What the file says literally stays, such as `parse: []`.
        return isEmpty(value) && !isEmpty(written) ? [] : [[key, value]];
      }),
    );
}

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);

/** The same without keys that have no value: JMESPath says null for what it does not find. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => !isEmpty(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, withoutEmpty(each)] as const)
      .filter(([, each]) => !isEmpty(each)),
  );
}
