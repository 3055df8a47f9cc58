import type { FigureCounts, Figures } from '@carillon/client';
import { csvLine } from '@carillon/user-file/csv-line';
import { saveCsv } from '../../components/csv';
import { text } from '../../text/text';

const COLUMNS = [
  ...['messages', 'sent', 'failed', 'waiting', 'skipped', 'opted_out', 'delivered', 'seen', 'bounced', 'complained'],
  ...['half_within_seconds', 'most_within_seconds'],
] as (keyof FigureCounts)[];

/** All figures of the page as lines: what they are counted by, the name, the counts. */
export function csvOf(all: Figures[]): string {
  const lines = all.flatMap(({ by, rows, rest }) => [
    ...rows.map(({ name, ...counts }) => ({ by, name: name ?? '(deleted)', counts })),
    ...(rest.messages > 0 ? [{ by, name: '(rest)', counts: rest }] : []),
  ]);
  return [
    csvLine(['by', 'name', ...COLUMNS]),
    ...lines.map(({ by, name, counts }) => csvLine([by, name, ...COLUMNS.map((column) => cellOf(counts[column]))])),
  ].join('');
}

const cellOf = (count: number | null) => (count === null ? '' : String(count));

export function DownloadCsv({ org, figures }: { org: string; figures: Figures[] }) {
  const name = `${org}-figures-${figures[0]!.since.slice(0, 10)}.csv`;
  return (
    <button type="button" className="button" onClick={() => saveCsv(name, csvOf(figures))}>
      {text.figures.csv}
    </button>
  );
}
