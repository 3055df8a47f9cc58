import type { Kind } from './comparison';

/** A field that rows offer. */
export interface KnownField {
  name: string;
  /** Empty: not known. */
  kinds: Kind[];
  /** The items of a list are numbers. */
  isNumeric?: boolean;
  /** Values that it had. */
  samples: string[];
}

/** The most fields that are offered: a context may hold a whole catalog. */
const MOST = 200;
const MOST_SAMPLES = 10;
const SAMPLE_LENGTH = 60;

type Values = Readonly<Record<string, unknown>>;

/** The fields of some objects, such as the contexts of the last occurrences, with what they hold. */
export function fieldsOfValues(objects: readonly Values[], more: readonly KnownField[] = []): KnownField[] {
  const found = new Map<string, KnownField>();
  for (const object of objects) collect(object, '', found);
  for (const field of more) if (!found.has(field.name)) found.set(field.name, field);
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST);
}

function collect(object: Values, prefix: string, found: Map<string, KnownField>): void {
  for (const [key, value] of Object.entries(object)) {
    // Rows write the dots between names.
    if (key === '' || key.includes('.') || key.endsWith('[]') || found.size >= MOST) continue;
    const name = prefix + key;
    if (isObject(value)) collect(value, `${name}.`, found);
    else if (Array.isArray(value)) collectList(value as unknown[], name, found);
    else add(found, name, kindOf(value), [value]);
  }
}

function collectList(list: unknown[], name: string, found: Map<string, KnownField>): void {
  const objects = list.filter(isObject);
  if (objects.length === 0) return add(found, name, 'list', list);
  // Only what the items hold themselves: rows know one list in a name.
  if (name.includes('[]')) return;
  const items = new Map<string, KnownField>();
  for (const object of objects.slice(0, MOST_SAMPLES)) collect(object, '', items);
  for (const item of items.values())
    add(
      found,
      `${name}[].${item.name}`,
      'list',
      item.kinds.includes('number') ? item.samples.map(Number) : item.samples,
    );
}

function add(found: Map<string, KnownField>, name: string, kind: Kind | null, values: unknown[]): void {
  const field = found.get(name) ?? { name, kinds: [], samples: [] };
  const scalars = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  const samples = scalars.map(String).filter((sample) => sample !== '' && sample.length <= SAMPLE_LENGTH);
  found.set(name, {
    ...field,
    kinds: kind && !field.kinds.includes(kind) ? [...field.kinds, ...kindsOf(kind)] : field.kinds,
    ...(kind === 'list' && { isNumeric: typeof scalars[0] === 'number' }),
    samples: [...new Set([...field.samples, ...samples])].slice(0, MOST_SAMPLES),
  });
}

/** A date is a text too. */
const kindsOf = (kind: Kind): Kind[] => (kind === 'date' ? ['date', 'text'] : [kind]);

function kindOf(value: unknown): Kind | null {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  // A sample context has dots where a text could be anything.
  if (typeof value !== 'string' || value === '…') return null;
  return /^\d{4}-\d{2}-\d{2}(T|$)/.test(value) ? 'date' : 'text';
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
