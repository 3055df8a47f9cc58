import { emailKey } from '../../../platform/field/email.js';
import type { ImportedRow } from './row-chunks.js';

export interface RowRefusal {
  line: number;
  problem: string;
}

const BY_NUMBER = /^(?:users|projects\[0\]\.distribution_lists\[0\]\.members)\[(\d+)\]\.?(.*)$/;
/** The service names a member with an unknown channel by the address, which may have dots. */
const BY_EMAIL = /^projects\[0\]\.distribution_lists\[0\]\.members\.(.*)\.(channel)$/;

/** The rows that the fields of an error belong to. Empty if one of them belongs to no row: then no row is to blame. */
export function refusedRows(errors: Record<string, string[]>, rows: readonly ImportedRow[]): RowRefusal[] {
  const problems = new Map<number, string[]>();
  for (const [place, sentences] of Object.entries(errors)) {
    const found = rowOf(place, rows);
    if (!found) return [];
    const texts = sentences.map((sentence) => (found.field ? `${found.field}: ${sentence}` : sentence));
    problems.set(found.row.line, [...(problems.get(found.row.line) ?? []), ...texts]);
  }
  return [...problems].sort(([a], [b]) => a - b).map(([line, texts]) => ({ line, problem: texts.join('; ') }));
}

function rowOf(place: string, rows: readonly ImportedRow[]): { row: ImportedRow; field: string } | null {
  const numbered = BY_NUMBER.exec(place);
  const named = BY_EMAIL.exec(place);
  const row = numbered
    ? rows[Number(numbered[1])]
    : named && rows.find(({ value }) => emailKey(value.email) === emailKey(named[1]!));
  return row ? { row, field: (numbered ?? named)![2]! } : null;
}
