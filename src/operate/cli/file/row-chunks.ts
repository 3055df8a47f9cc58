import { emailKey } from '../../../platform/field/email.js';
import { isObject } from '../../../platform/field/is-object.js';
import type { UserFileRow } from '../../provisioning/user-files/user-file.js';

/** A row of a file, on its way to the service. */
export interface ImportedRow {
  line: number;
  value: Record<string, unknown> & { email: string };
}

const MAX_ROWS = 1000;
/** Well below the limit of a configuration. */
const MAX_BYTES = 1024 * 1024;

/** Gathers rows that are sent together. A user who comes twice is in two chunks: the later row wins. */
export async function* chunksOfRows(
  rows: AsyncIterable<UserFileRow>,
  refuse: (line: number, problem: string) => void,
): AsyncGenerator<ImportedRow[]> {
  let chunk: ImportedRow[] = [];
  let keys = new Set<string>();
  let bytes = 0;
  for await (const row of rows) {
    const checked = 'problem' in row ? row : checkRow(row);
    if ('problem' in checked) {
      refuse(row.line, checked.problem);
      continue;
    }
    const key = emailKey(checked.value.email);
    const size = Buffer.byteLength(JSON.stringify(checked.value));
    if (chunk.length > 0 && (chunk.length === MAX_ROWS || bytes + size > MAX_BYTES || keys.has(key))) {
      yield chunk;
      [chunk, keys, bytes] = [[], new Set(), 0];
    }
    chunk.push(checked);
    keys.add(key);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

/** What the service cannot refuse row by row. It checks everything else. */
function checkRow({ line, value: given }: { line: number; value: unknown }): ImportedRow | { problem: string } {
  const value = typeof given === 'string' ? { email: given } : given;
  if (!isObject(value)) return { problem: 'must be an object' };
  if (typeof value.email !== 'string') return { problem: 'email: is required' };
  if (value.custom_fields !== undefined && !isObject(value.custom_fields))
    return { problem: 'custom_fields: must be an object' };
  if (value.preferences) return { problem: 'preferences: is not a known field here: use carillon apply for them' };
  return { line, value: { ...value, email: value.email } };
}
