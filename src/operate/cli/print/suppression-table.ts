import { visible } from '../../../platform/config/visible.js';
import { aligned } from './print.js';

/** A suppression as `suppression list` prints it, from the database or over HTTP. Times are ISO texts. */
interface ListedSuppression {
  id: number;
  name: string;
  value: string;
  project: string | null;
  cause: string;
  evidence: Record<string, unknown>;
  created_at: string;
  expires_at: string | null;
}

const minute = (time: string) => time.slice(0, 16).replace('T', ' ');

export function suppressionTable(suppressions: ListedSuppression[]): string {
  const lines = suppressions.map((row) => [
    String(row.id),
    row.name,
    visible(row.value),
    row.cause,
    row.project ?? 'all',
    minute(row.created_at),
    row.expires_at === null ? 'never' : minute(row.expires_at),
    visible(String(row.evidence.note ?? row.evidence.answer ?? '')).slice(0, 80),
  ]);
  return lines.length === 0 ? 'no suppressions' : aligned([HEADER, ...lines]);
}

const HEADER = ['ID', 'KIND', 'ADDRESS', 'CAUSE', 'PROJECT', 'SINCE', 'EXPIRES', 'EVIDENCE'];
