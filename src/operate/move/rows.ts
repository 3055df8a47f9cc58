import { rowChecksum } from './checksum.js';
import type { Side } from './side.js';
import type { OwnTable } from './tables.js';

export type Key = string[];

/** Rows of one table as they are in the source, in PostgreSQL's own text format: it keeps every value of every type. */
export interface RowPage {
  table: OwnTable;
  rows: { row: string; checksum: string; key: Key; parent: string | null }[];
}

const PAGE = 2000;
/** Fewer where each row is large: the answer is cut only after all its rows were made. */
const PAGE_OF: Record<string, number> = { file_chunks: 32 };
/** An answer above it is cut: a context or a message may have hundreds of kilobytes. */
const PAGE_BYTES = 16 * 1024 * 1024;

export interface PageQuery {
  /** SQL condition on the row `t`; its values are $1, $2, ... */
  where: string;
  values: unknown[];
  /** The columns of the order, if it is not that of the primary key. An index must have it. */
  order?: { name: string; type: string }[];
  /** The values of these columns in the last row of the page before. */
  after?: string[] | null;
  /** How many rows. */
  limit?: number;
}

/** The next rows of a query; none: there are no more. */
export async function readPage(
  source: Side,
  table: OwnTable,
  { where, values, order = table.key, after, limit = PAGE_OF[table.name] ?? PAGE }: PageQuery,
): Promise<RowPage & { last: string[] | null }> {
  const columns = order.map(({ name }) => `t.${name}`).join(', ');
  const start = order.map(({ type }, i) => `$${values.length + i + 1}::text::${type}`).join(', ');
  const rows = await source.rows<RowPage['rows'][number] & { place: string[] }>(
    `select "row", checksum, "key", parent, place from (
       select q.*, sum(octet_length("row")) over (rows unbounded preceding) - octet_length("row") bytes_before from (
         select t::text "row", ${rowChecksum(table)}::text checksum, ${texts(table.key)} "key", ${texts(order)} place,
           ${table.parent ? `t.${table.parent.column}::text` : 'null'} parent
         from ${table.name} t
         where ${where} ${after ? `and (${columns}) > (${start})` : ''} order by ${columns} limit ${limit}
       ) q
     ) q where bytes_before < ${PAGE_BYTES}`,
    [...values, ...(after ?? [])],
  );
  return { table, rows, last: rows.at(-1)?.place ?? null };
}

const texts = (columns: { name: string }[]) => `array[${columns.map(({ name }) => `t.${name}::text`).join(', ')}]`;

/** SQL condition for the rows `t` with some keys, whose columns are parameters from `$first` on. */
export const withKeys = ({ key }: OwnTable, first = 1) =>
  `(${key.map(({ name }) => `t.${name}`).join(', ')}) in (select * from unnest(${key.map(({ type }, i) => `$${i + first}::text[]::${type}[]`).join(', ')}))`;

export const keyColumns = ({ key }: OwnTable, keys: readonly Key[]): string[][] =>
  key.map((_, i) => keys.map((each) => each[i]!));

/** Inserts rows. A row is left out if one with the same unique values is there: `different` finds it. */
export function insertRows(target: Side, { table: { name }, rows }: RowPage): Promise<number> {
  return target.run(`insert into ${name} select * from unnest($1::${name}[]) on conflict do nothing`, [
    rows.map(({ row }) => row),
  ]);
}

/** Compares the target with the rows that were read from the source. Returns those that differ. */
export async function different(target: Side, { table, rows }: RowPage): Promise<RowPage['rows']> {
  if (table.compared === null) return [];
  const keys = keyColumns(
    table,
    rows.map(({ key }) => key),
  );
  const from = `from ${table.name} t where ${withKeys(table)}`;
  const sum = rows.reduce((total, { checksum }) => total + BigInt(checksum), 0n);
  const [all] = await target.rows<{ count: number; sum: string }>(
    `select count(*)::int, coalesce(sum(${rowChecksum(table)}), 0)::text "sum" ${from}`,
    keys,
  );
  if (all!.count === rows.length && BigInt(all!.sum) === sum) return [];
  const there = await target.rows<{ key: Key; checksum: string }>(
    `select ${texts(table.key)} "key", ${rowChecksum(table)}::text checksum ${from}`,
    keys,
  );
  const checksums = new Map(there.map(({ key, checksum }) => [JSON.stringify(key), checksum]));
  return rows.filter(({ key, checksum }) => checksums.get(JSON.stringify(key)) !== checksum);
}
