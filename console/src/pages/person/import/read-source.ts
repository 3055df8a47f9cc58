import { text } from '../../../text/text';
import { MAX_LINES } from './file/limits';
import type { UserTable } from './file/read-table';

/** A file, or what was pasted, as a text that was read as CSV. */
export interface Source {
  name: string;
  text: string;
  table: UserTable;
}

export async function readUsers(name: string, content: string): Promise<Source | { problem: string }> {
  // The parser is loaded when it is needed.
  const { readTable } = await import('./file/read-table');
  const table = readTable(content);
  if ('problem' in table) return { problem: text.import.notCsv(table.problem) };
  if (table.rows.length === 0) return { problem: text.import.empty };
  if (table.rows.length > MAX_LINES) return { problem: text.import.tooMany(table.rows.length, MAX_LINES) };
  return { name, text: content, table };
}
