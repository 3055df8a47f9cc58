import { useRead } from '../api/read';
import { useCan } from '../api/session';
import { text } from '../text/text';

/** Sent, failed and waiting messages of the last 7 days, by the path of an event or a channel: one question for a whole page. Null: not for this session. */
export function useRowCounts(org: string, by: 'event' | 'channel'): RowCountsOf {
  const can = useCan();
  const isOn = can('occurrence:read');
  const { data } = useRead('/api/o/{org}/figures/', { path: { org }, query: { by } }, { enabled: isOn });
  const rows = new Map(data?.rows.map((row) => [row.name, row]));
  return isOn ? (path) => (data ? (rows.get(path) ?? NONE) : undefined) : null;
}

interface Counts {
  sent: number;
  failed: number;
  waiting: number;
}

/** Undefined: they are read. */
export type RowCountsOf = ((path: string) => Counts | undefined) | null;

const NONE: Counts = { sent: 0, failed: 0, waiting: 0 };

export function RowCounts({ counts }: { counts: Counts | undefined }) {
  if (!counts) return <span className="skeleton" />;
  const { sent, failed, waiting } = counts;
  if (sent + failed + waiting === 0) return <span className="soft">{text.figures.noMessages}</span>;
  return <span>{text.figures.row(sent, failed, waiting)}</span>;
}
