import { cellReports } from '../../../cell/directory/cell-report.js';
import { withDirectory } from '../../../cell/directory/with-directory.js';
import { readConfig } from '../../../platform/config/config.js';
import { CommandError, aligned, print } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';

const HEADER = ['CELL', 'STATE', 'LAST SEEN', 'ORGANIZATIONS', 'MOVING', 'CLAIMED', 'URL'];

export async function cells(options: PrintOptions): Promise<void> {
  const { cell } = readConfig();
  if (!cell)
    throw new CommandError(
      'there are no cells: CELL, CELL_URL, CELL_SECRET and DIRECTORY_URL are not set (docs/cells.md)',
    );
  const reports = await withDirectory(cell.directoryUrl, cellReports);
  const lines = reports.map(({ number, state, seen_at: seenAt, organizations, moving, claimed, url }) => [
    ...[`${number}${number === cell.number ? ' *' : ''}`, state, seenAt.toISOString().slice(0, 19).replace('T', ' ')],
    ...[String(organizations), String(moving), String(claimed), url],
  ]);
  await print(options, reports, lines.length === 0 ? 'no cell was started yet' : aligned([HEADER, ...lines]));
}
