import { isDeepStrictEqual } from 'node:util';

/** A field's value before and after; neither for a secret. */
export interface Difference {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** What happened to a row; no verb: nothing. */
export interface PutRow {
  id: number;
  verb?: 'create' | 'update';
  /** With `update`. */
  differences: Difference[];
}

/** What differs between two sets of fields; a field that is missing counts as null. */
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

/** As files and the HTTP API name it. */
const snakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Makes one row agree with `wanted`, where undefined means "as it is". `row` is the row as it stands, null when there is none: then it is
 * created. An update writes only the fields that differ, so that the audit log shows nothing else.
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
    field: snakeCase(field),
    before: row[field],
    after: wanted[field],
  }));
  return { id: row.id, verb: 'update', differences };
}
