import { isDeepStrictEqual } from 'node:util';
import type { ClientBase } from 'pg';

export type Values = Record<string, unknown>;

/** A field's value before and after; neither for a secret. */
export interface Difference {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** What differs between two sets of fields; what is not set counts as null. */
export function differencesOf(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  prefix = '',
): Difference[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field: prefix + field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((difference) => !isDeepStrictEqual(difference.before, difference.after));
}

/** What became of a row; no verb: nothing. */
export interface Upserted {
  id: number;
  verb?: 'create' | 'update';
  /** By column, with `update`. */
  differences: Difference[];
}

/** Table and column names come from our own code only; what the file says goes in as parameters. */
const list = (columns: string[], separator: string, item: (column: string, index: number) => string) =>
  columns.map(item).join(separator);

/** SQL for the rows with these values, in their order. Not `is not distinct from`, for which PostgreSQL uses no index. */
export function whereOf(identity: Values): string {
  const is = ([column, value]: [string, unknown], i: number) =>
    value === null ? `${column} is null and $${i + 1}::int is null` : `${column} = $${i + 1}`;
  return Object.entries(identity).map(is).join(' and ');
}

/** Makes one row of configuration agree with the file; a value that is undefined is left as it stands. */
export async function upsertRow(
  client: ClientBase,
  table: string,
  identity: Values,
  values: Values,
): Promise<Upserted> {
  const known = Object.entries(identity);
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined);
  const found = await client.query<Values & { id: number }>(
    `select * from ${table} where ${whereOf(identity)}`,
    known.map(([, value]) => value),
  );
  const [row] = found.rows;
  if (!row) {
    const all = [...known, ...wanted];
    const columns = all.map(([column]) => column);
    const sql = `insert into ${table} (${columns.join(', ')}) values (${list(columns, ', ', (_, i) => `$${i + 1}`)}) returning id`;
    const made = await client.query<{ id: number }>(
      sql,
      all.map(([, value]) => value),
    );
    return { id: made.rows[0]!.id, verb: 'create', differences: [] };
  }
  const stored = (column: string) => row[column.replaceAll('"', '')];
  const changed = wanted.filter(([column, value]) => !isDeepStrictEqual(stored(column), value));
  if (changed.length === 0) return { id: row.id, differences: [] };
  const set = list(
    changed.map(([column]) => column),
    ', ',
    (column, i) => `${column} = $${i + 2}`,
  );
  await client.query(`update ${table} set ${set} where id = $1`, [row.id, ...changed.map(([, value]) => value)]);
  const differences = changed.map(([column, after]) => ({
    field: column.replaceAll('"', ''),
    before: stored(column),
    after,
  }));
  return { id: row.id, verb: 'update', differences };
}
