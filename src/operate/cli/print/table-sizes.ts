import type { Client } from 'pg';

export interface TableSize {
  name: string;
  /** The last estimate of PostgreSQL; null if there is none. */
  rows: number | null;
  /** Includes indexes and TOAST. */
  bytes: number;
  size: string;
}

const SIZES = `
  select case n.nspname when current_schema() then c.relname else n.nspname || '.' || c.relname end "name",
         nullif(c.reltuples, -1)::float8 "rows", t.bytes::float8 bytes, pg_size_pretty(t.bytes) "size"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace, lateral (select pg_total_relation_size(c.oid) bytes) t
  where c.relkind = 'r' and n.nspname = current_schema()
  order by t.bytes desc, c.relname`;

/** The tables of Carillon and of the queue, the largest first. */
export async function tableSizes(client: Client): Promise<TableSize[]> {
  return (await client.query<TableSize>(SIZES)).rows;
}

export function sizeTable(sizes: TableSize[]): string {
  const lines = [
    ['table', 'rows', 'size'] as const,
    ...sizes.map(({ name, rows, size }) => [name, rows === null ? '-' : rows.toLocaleString('en'), size] as const),
  ];
  const [nameWidth, rowsWidth] = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map(([name, rows, size]) => `${name.padEnd(nameWidth!)}  ${rows.padStart(rowsWidth!)}  ${size.padStart(10)}`)
    .join('\n');
}
