import { originalText } from '@carillon/user-file/formula';
import { csvLine } from '@carillon/user-file/csv-line';
import { MARK } from '../../../../components/csv';
import { ADDED } from './file-columns';
import type { UserTable } from './read-table';
import type { Refused } from '../upload';

/** The lines that were refused, as they were in the file, each with its number and the reason. For a spreadsheet, with a byte order mark. */
export function refusedCsv(
  { header, delimiter }: UserTable,
  refused: readonly Refused[],
  reasonOf: (refused: Refused) => string,
) {
  const line = (cells: readonly string[]) => csvLine(cells.map(originalText), delimiter);
  const lines = refused.map((each) => {
    const cells = header.map((_, i) => each.row.cells[i] ?? '');
    return line([...cells, String(each.row.line), reasonOf(each)]);
  });
  return [MARK, line([...header, ADDED.line, ADDED.reason]), ...lines].join('');
}
