import type { FigureCounts, Figures } from '@carillon/client';
import { text } from '../../text/text';

const COLUMNS = [
  ...['messages', 'sent', 'failed', 'waiting', 'skipped', 'opted_out', 'delivered', 'seen', 'bounced', 'complained'],
  ...['half_within_seconds', 'most_within_seconds'],
] as (keyof FigureCounts)[];

/** Quoted, and never a formula: a domain is a text that somebody else chose. */
const quoted = (value: string) => `"${(/^[=+\-@]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** All figures of the page as lines: what they are counted by, the name, the counts. */
export function csvOf(all: Figures[]): string {
  const lines = all.flatMap(({ by, rows, rest }) => [
    ...rows.map(({ name, ...counts }) => ({ by, name: name ?? '(deleted)', counts })),
    ...(rest.messages > 0 ? [{ by, name: '(rest)', counts: rest }] : []),
  ]);
  return [
    ['by', 'name', ...COLUMNS].join(','),
    ...lines.map(({ by, name, counts }) =>
      [by, quoted(name), ...COLUMNS.map((column) => counts[column] ?? '')].join(','),
    ),
  ].join('\r\n');
}

export function DownloadCsv({ org, figures }: { org: string; figures: Figures[] }) {
  function download() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([csvOf(figures)], { type: 'text/csv' }));
    link.download = `${org}-figures-${figures[0]!.since.slice(0, 10)}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
  }
  return (
    <button type="button" className="button" onClick={download}>
      {text.figures.csv}
    </button>
  );
}
