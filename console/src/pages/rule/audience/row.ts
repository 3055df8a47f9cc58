import type { Comparison, Comparisons } from '../rows/comparison';
import type { KnownField } from '../rows/known-field';
import { valuesOf } from '../rows/line';
import type { Line, Scalar } from '../rows/line';

/** A filter of an audience, as the service stores it. */
export type Filter = Readonly<Record<string, unknown>>;

/**
 * `has` looks for a part of a text, or for an item of a list: the service does both with one operator. Dates are texts, which a filter does
 * not order.
 */
export const COMPARISONS: Comparisons = {
  number: ['above', 'at_least', 'below', 'at_most', 'equal', 'unequal', 'one_of', 'none_of'],
  text: ['equal', 'unequal', 'one_of', 'none_of', 'has', 'lacks', 'starts', 'ends'],
  date: [],
  boolean: ['yes', 'no'],
  list: ['has', 'lacks'],
  any: ['filled', 'empty'],
};

const ADDRESS = 'address.';
const CUSTOM = 'custom_fields.';
const OWN = ['email', 'first_name', 'last_name'];

/** What every user has. */
export const OWN_FIELDS: readonly KnownField[] = [...OWN, `${ADDRESS}phone`].map((name) => ({
  name,
  kinds: ['text'],
  samples: [],
}));

/** A row shows a custom field by its own name, unless something else has this name. */
export function shownName(name: string): string {
  const short = name.slice(CUSTOM.length);
  return name.startsWith(CUSTOM) && short !== '' && storedName(short) === name ? short : name;
}

/** The same as a filter writes it. */
const storedName = (name: string) =>
  OWN.includes(name) || name.startsWith(ADDRESS) || name.startsWith(CUSTOM) ? name : CUSTOM + name;

const OPERATORS = new Map<Comparison, string>([
  ['equal', 'is'],
  ['one_of', 'in'],
  ['has', 'contains'],
  ['starts', 'starts_with'],
  ['ends', 'ends_with'],
  ['above', 'gt'],
  ['at_least', 'gte'],
  ['below', 'lt'],
  ['at_most', 'lte'],
]);
/** These are the opposite of another one: true also for a user who does not have the field. */
const OPPOSITES = new Map<Comparison, Comparison>([
  ['unequal', 'equal'],
  ['none_of', 'one_of'],
  ['lacks', 'has'],
]);

/** The filter of a row; null: it is unfinished. */
export function filterOf(line: Line): Filter | null {
  const values = valuesOf(line);
  const name = line.field.trim();
  if (!values || name === '') return null;
  const subject = name.startsWith(ADDRESS) ? { address: name.slice(ADDRESS.length) } : { field: storedName(name) };
  const filter = { ...subject, ...testOf(line.is, values) };
  return OPPOSITES.has(line.is) ? { not: filter } : filter;
}

function testOf(is: Comparison, values: Scalar[]): object {
  if (is === 'filled' || is === 'empty') return { exists: is === 'filled' };
  if (is === 'yes' || is === 'no') return { is: is === 'yes' };
  const operator = OPERATORS.get(OPPOSITES.get(is) ?? is)!;
  return { [operator]: operator === 'in' ? values : values[0] };
}

/** The row of a filter; null: rows cannot say it. */
export function lineOf(filter: Filter): Line | null {
  if ('not' in filter) {
    const line = isFilter(filter.not) ? lineOf(filter.not) : null;
    const opposite = [...OPPOSITES].find(([, is]) => is === line?.is)?.[0];
    return line && opposite ? { ...line, is: opposite } : null;
  }
  const { field, address, ...test } = filter;
  const name = typeof field === 'string' ? shownName(field) : typeof address === 'string' ? ADDRESS + address : null;
  const [[operator, value] = ['exists', true] as const, ...more] = Object.entries(test);
  return name === null || more.length > 0 ? null : readTest(name, operator, value);
}

function readTest(field: string, operator: string, value: unknown): Line | null {
  const none = { field, isNumeric: false, values: [] };
  if (operator === 'exists') return { ...none, kind: 'any', is: value === true ? 'filled' : 'empty' };
  if (typeof value === 'boolean')
    return operator === 'is' ? { ...none, kind: 'boolean', is: value ? 'yes' : 'no' } : null;
  const [is] = [...OPERATORS].find(([, one]) => one === operator) ?? [];
  const values: unknown[] = [value].flat();
  const type = typeof values[0];
  if (!is || (type !== 'string' && type !== 'number') || values.some((one) => typeof one !== type)) return null;
  // Only lists include numbers.
  const isNumeric = is === 'has' && type === 'number';
  return {
    field,
    kind: isNumeric ? 'list' : type === 'number' ? 'number' : 'text',
    is,
    isNumeric,
    values: values.map(String),
  };
}

export const isFilter = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
