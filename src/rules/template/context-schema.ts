import type { Field } from './field.js';

/** The part of JSON Schema (draft 2020-12) that is used here. */
export interface JsonSchema {
  $schema?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  'x-used-by'?: unknown[];
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const ANYTHING = ['array', 'boolean', 'number', 'object', 'string'];

/** The schema of a context. It allows further fields. */
export function contextSchema(root: Field<unknown>): JsonSchema {
  return { $schema: DRAFT, ...insideOf(root), type: 'object' };
}

function schemaOf(field: Field<unknown>, orNull: boolean): JsonSchema {
  const kinds = kindsOf(field);
  const users = field.users.length > 0 && { 'x-used-by': field.users };
  if (kinds.length === 0) return { ...(!orNull && { type: ANYTHING }), ...users };
  const types = orNull ? [...kinds, 'null'] : kinds;
  return { type: types.length === 1 ? types[0]! : types, ...users, ...insideOf(field) };
}

/** A loop that takes its items' parts by index (`pair[0]`) works over an object as well. */
function kindsOf({ fields, items }: Field<unknown>): string[] {
  const isObject = fields.size > 0 || items?.items;
  return [...(items ? ['array'] : []), ...(isObject ? ['object'] : [])];
}

function insideOf({ fields, items }: Field<unknown>): JsonSchema {
  const entries = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const required = entries.filter(([, { needed }]) => needed).map(([name]) => name);
  return {
    ...(fields.size > 0 && {
      properties: Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field, !field.needed)])),
    }),
    ...(required.length > 0 && { required }),
    ...(items && { items: schemaOf(items, !hasNeeds(items)) }),
  };
}

function hasNeeds({ fields }: Field<unknown>): boolean {
  return [...fields.values()].some(({ needed }) => needed);
}
