import { isObject } from '../../platform/field/is-object.js';

export const FIELD_TYPES = ['string', 'number', 'boolean', 'list'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

interface KnownField {
  name: string;
  types: FieldType[];
  examples: (string | number)[];
}

const MAX_FIELDS = 200;
const MAX_EXAMPLES = 10;
const EXAMPLE_LENGTH = 60;
/** An audience names so many keys at most. */
const MAX_KEYS = 8;

type Json = Record<string, unknown>;

/** The fields that some users have, by name. */
export function knownFields(users: readonly Json[]): KnownField[] {
  const found = new Map<string, KnownField>();
  for (const fields of users) collect(fields, [], found);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function collect(fields: Json, path: string[], found: Map<string, KnownField>): void {
  for (const [key, value] of Object.entries(fields)) {
    // No audience could name it.
    if (key === '' || key.includes('.') || value === null) continue;
    const keys = [...path, key];
    if (!isObject(value)) add(keys.join('.'), value, found);
    else if (keys.length < MAX_KEYS) collect(value, keys, found);
  }
}

function add(name: string, value: unknown, found: Map<string, KnownField>): void {
  let field = found.get(name);
  if (!field) {
    if (found.size >= MAX_FIELDS) return;
    found.set(name, (field = { name, types: [], examples: [] }));
  }
  const type = Array.isArray(value) ? 'list' : (typeof value as FieldType);
  if (!field.types.includes(type)) field.types.push(type);
  for (const example of [value].flat()) {
    if (field.examples.length >= MAX_EXAMPLES) return;
    if (isShort(example) && !field.examples.includes(example)) field.examples.push(example);
  }
}

const isShort = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= EXAMPLE_LENGTH);
