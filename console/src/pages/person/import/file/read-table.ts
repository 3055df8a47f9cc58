import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { CSV_OPTIONS } from '@carillon/user-file/columns';
import { delimiterOf } from './delimiter';
import type { Delimiter } from './delimiter';

export interface TableRow {
  /** The header is line 1. */
  line: number;
  cells: string[];
}

export interface UserTable {
  delimiter: Delimiter;
  header: string[];
  rows: TableRow[];
}

/** Reads a CSV file as `carillon import` reads it. Without a delimiter, the header line says which. */
export function readTable(text: string, delimiter = delimiterOf(text)): UserTable | { problem: string } {
  try {
    const records = parse(text, { ...CSV_OPTIONS, delimiter }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    const [header, ...rows] = records.map(({ record, info }) => ({ line: info.lines, cells: record }));
    return { delimiter, header: header?.cells ?? [], rows };
  } catch (error) {
    if (error instanceof CsvError) return { problem: error.message };
    throw error;
  }
}
