import type { Input } from '@carillon/client';
import { csvLine } from '@carillon/user-file/csv-line';
import { USER_HEADER, userCells } from '@carillon/user-file/user-cells';
import { carillon } from '../../../api/carillon';
import { patiently } from '../../../api/patiently';
import { MARK } from '../../../components/csv';
import { MAX_LINES, MAX_MB } from '../import/file/limits';

const PATH = '/api/o/{org}/users/';
export type UserQuery = NonNullable<Input<'GET', typeof PATH>['query']>;

interface Exported {
  users: number;
  lines: string[];
  /** False: there are more users than an import would take. */
  isWhole: boolean;
}

interface Export {
  org: string;
  query: UserQuery;
  signal: AbortSignal;
  onProgress: (users: number) => void;
}

/** The users of a list as CSV, read page by page. */
export async function readExport({ org, query, signal, onProgress }: Export): Promise<Exported> {
  const lines = [MARK + csvLine(USER_HEADER)];
  const bytes = new TextEncoder();
  let size = bytes.encode(lines[0]).length;
  let asked: UserQuery | null = { ...query, limit: 1000 };
  while (asked) {
    const page: Input<'GET', typeof PATH> = { path: { org }, query: asked, signal };
    const { items, next } = await patiently(() => carillon.page(PATH, page), signal);
    for (const user of items) {
      const line = csvLine(userCells(user));
      size += bytes.encode(line).length;
      if (lines.length > MAX_LINES || size > MAX_MB * 1024 * 1024)
        return { users: lines.length - 1, lines, isWhole: false };
      lines.push(line);
    }
    onProgress(lines.length - 1);
    asked = next;
  }
  return { users: lines.length - 1, lines, isWhole: true };
}
