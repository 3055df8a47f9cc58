import { originalText } from './formula.js';

/** How cells and lines are told apart. The header is line 1. */
export const CSV_OPTIONS = {
  bom: true,
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
} as const;

type Cell = (text: string) => unknown;

/** The allowed columns: each sets a field, or one key of an object. */
export interface Columns {
  fields: Record<string, Cell>;
  /** Such as `custom_fields.team`. */
  nested: Record<string, (row: Record<string, unknown>, key: string, text: string) => void>;
}

export const isColumn = (name: string, { fields, nested }: Columns) =>
  Object.hasOwn(fields, name) || Object.keys(nested).some((prefix) => name.startsWith(`${prefix}.`));

/** The columns that are there twice, as a whole and in parts. */
export const inParts = (header: readonly string[]) =>
  header.filter((name) => header.some((other) => other.startsWith(`${name}.`)));

/** What a line of a CSV file describes, or why it cannot be read. Empty cells are ignored. */
export function readRecord(
  header: readonly string[],
  record: readonly string[],
  { fields, nested }: Columns,
): { value: Record<string, unknown> } | { problem: string } {
  if (record.length > header.length)
    return { problem: `has ${record.length} cells, but the header has ${header.length}` };
  const row: Record<string, unknown> = {};
  try {
    for (const [i, cell] of record.entries()) {
      const column = header[i]!;
      const text = originalText(cell);
      if (text === '') continue;
      const [prefix = '', ...key] = column.split('.');
      if (Object.hasOwn(fields, column)) row[column] = fields[column]!(text);
      else nested[prefix]!(row, key.join('.'), text);
    }
    return { value: row };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
