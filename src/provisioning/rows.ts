import { isDeepStrictEqual } from 'node:util';
import type { ClientBase } from 'pg';

export type Values = Record<string, unknown>;

/** One row that was, or would be, changed. */
export interface Change {
  verb: 'create' | 'update' | 'delete';
  noun: string;
  name: string;
}

/** Table and column names come from our own code only; what the file says goes in as parameters. */
const list = (columns: string[], separator: string, item: (column: string, index: number) => string) =>
  columns.map(item).join(separator);

/** Makes one row of configuration agree with the file; a value that is undefined is left as it stands. */
export async function upsertRow(
  client: ClientBase,
  table: string,
  identity: Values,
  values: Values,
): Promise<{ id: number; verb?: Change['verb'] }> {
  const known = Object.entries(identity);
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined);
  const where = list(
    known.map(([column]) => column),
    ' and ',
    (column, i) => `${column} is not distinct from $${i + 1}`,
  );
  const found = await client.query<Values & { id: number }>(
    `select * from ${table} where ${where}`,
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
    return { id: made.rows[0]!.id, verb: 'create' };
  }
  const changed = wanted.filter(([column, value]) => !isDeepStrictEqual(row[column.replaceAll('"', '')], value));
  if (changed.length === 0) return { id: row.id };
  const set = list(
    changed.map(([column]) => column),
    ', ',
    (column, i) => `${column} = $${i + 2}`,
  );
  await client.query(`update ${table} set ${set} where id = $1`, [row.id, ...changed.map(([, value]) => value)]);
  return { id: row.id, verb: 'update' };
}
