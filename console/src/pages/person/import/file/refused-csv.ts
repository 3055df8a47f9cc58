import { originalText } from '@carillon/user-file/formula';
import { csvLine } from '@carillon/user-file/csv-line';
import { MARK } from '../../../../components/csv';
import { ADDED } from './file-columns';
import type { TableRow, UserTable } from './read-table';

/** A line that was refused, and why: by its fields, or as a whole. */
export interface RefusedRow {
  row: TableRow;
  errors: Record<string, string[]>;
}

/** The lines that were refused, as they were in the file, each with its number and the reason. For a spreadsheet, with a byte order mark. */
export function refusedCsv(
  { header, delimiter }: UserTable,
  refused: readonly RefusedRow[],
  reasonOf: (refused: RefusedRow) => string,
) {
  const line = (cells: readonly string[]) => csvLine(cells.map(originalText), delimiter);
  const lines = refused.map((each) => {
    const cells = header.map((_, i) => each.row.cells[i] ?? '');
    return line([...cells, String(each.row.line), reasonOf(each)]);
  });
  return [MARK, line([...header, ADDED.line, ADDED.reason]), ...lines].join('');
}
