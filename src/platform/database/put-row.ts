import { isDeepStrictEqual } from 'node:util';
import { fieldName } from './columns.js';
import { Prisma } from './generated/prisma/client.js';

/** A field's value before and after; a secret has neither. */
export interface Difference {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** The change of a row; no verb: nothing changed. */
export interface PutRow {
  id: number;
  verb?: 'create' | 'update';
  /** The changed fields of an `update`. */
  differences: Difference[];
}

/** The fields that differ between two objects; a missing field counts as null. */
export function differencesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  prefix = '',
): Difference[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field: prefix + field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((difference) => !isDeepStrictEqual(difference.before, difference.after));
}

/**
 * Creates or updates one row. `row` is the current row, or null to create it. Undefined fields of `wanted` keep their values. An update
 * writes only the fields that differ, so that the audit log shows nothing else.
 */
export async function putRow<Fields extends object>(
  row: ({ id: number } & { [Field in keyof Fields]?: unknown }) | null,
  wanted: Fields,
  create: () => PromiseLike<{ id: number }>,
  update: (changed: Partial<Fields>) => PromiseLike<unknown>,
): Promise<PutRow> {
  if (!row) return { id: (await create()).id, verb: 'create', differences: [] };
  const fields = (Object.keys(wanted) as (keyof Fields & string)[]).filter(
    (field) => wanted[field] !== undefined && !isDeepStrictEqual(row[field], wanted[field]),
  );
  if (fields.length === 0) return { id: row.id, differences: [] };
  await update(Object.fromEntries(fields.map((field) => [field, wanted[field]])) as Partial<Fields>);
  const differences = fields.map((field) => ({
    field: fieldName(field),
    before: row[field],
    after: wanted[field],
  }));
  return { id: row.id, verb: 'update', differences };
}

/** The value of a nullable JSON column. Prisma needs its own object for SQL null: a plain null could be the JSON value null. */
export const jsonOrNull = (value: unknown) =>
  value === null ? Prisma.DbNull : (value as Prisma.InputJsonValue | undefined);
