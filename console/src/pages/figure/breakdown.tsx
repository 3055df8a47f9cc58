import type { FigureCounts, FigureRow, Figures } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { ChannelPath, PathName } from '../../components/links';
import { Rows } from '../../components/skeleton';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';
import { localTime } from './period';

const COLUMNS = ['sent', 'failed', 'waiting', 'opted_out', 'bounced'] as const;
/** The others are in the file that the page offers. */
const MAX_ROWS = 10;

interface Props {
  org: string;
  title: string;
  /** Undefined: they are read. */
  figures: Figures | undefined;
}

/** The messages by event, channel, domain or reason: a bar and numbers for each. Its name leads to what is behind it. */
export function Breakdown({ org, title, figures }: Props) {
  if (!figures) return <Rows count={4} />;
  const { by, rows, rest } = figures;
  const most = Math.max(...rows.map(({ messages }) => messages), 1);
  const hasTime = by === 'event' || by === 'channel';
  const columns =
    by === 'reason' ? (['messages'] as const) : by === 'domain' ? (['sent', 'failed', 'bounced'] as const) : COLUMNS;
  const more = rows.length - MAX_ROWS;
  return (
    <section className={hasTime ? 'card stack wide' : 'card stack'} aria-labelledby={`by-${by}`}>
      <h2 id={`by-${by}`}>{title}</h2>
      {rows.length === 0 ? (
        <p className="soft">{text.figures.nothing}</p>
      ) : (
        <table className="table" aria-labelledby={`by-${by}`}>
          <thead>
            <tr>
              <th scope="col">{text.figures.names[by]}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className="number">
                  {text.figures.counts[column]}
                </th>
              ))}
              {hasTime && (
                <th scope="col" className="number">
                  {text.figures.mostTime}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row) => (
              <tr key={row.name}>
                <td className="main">
                  <Name org={org} figures={figures} row={row} />
                  <span className="share" aria-hidden="true">
                    <span style={{ width: `${(row.messages / most) * 100}%` }} />
                  </span>
                </td>
                {columns.map((column) => (
                  <td key={column} data-label={text.figures.counts[column]} className="number">
                    {formatNumber(row[column])}
                  </td>
                ))}
                {hasTime && (
                  <td data-label={text.figures.mostTime} className="number">
                    {text.figures.within(row.most_within_seconds)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(more > 0 || rest.messages > 0) && (
        <p className="soft">{text.figures.more(Math.max(more, 0), restOf(rows, rest))}</p>
      )}
    </section>
  );
}

/** The messages of the rows that are not shown. */
const restOf = (rows: FigureRow[], rest: FigureCounts) =>
  rows.slice(MAX_ROWS).reduce((sum, { messages }) => sum + messages, rest.messages);

function Name({
  org,
  figures: { by, since, until },
  row: { name },
}: {
  org: string;
  figures: Figures;
  row: FigureRow;
}) {
  if (name === null) return <span className="soft">{text.figures.deleted}</span>;
  if (by === 'event')
    return (
      <Link
        to="/o/$org/occurrences"
        params={{ org }}
        search={{ event: name, since: localTime(since), until: localTime(until) }}
      >
        <PathName org={org} path={name} />
      </Link>
    );
  if (by === 'channel') return <ChannelPath org={org} path={name} />;
  if (by === 'reason') {
    const [outcome, reason] = name.split('/');
    const said = text.why.gates[reason ?? ''] ?? text.figures.reasons[reason ?? ''] ?? reason;
    return <span>{[text.figures.counts[outcome as 'sent'], said].filter(Boolean).join(': ')}</span>;
  }
  return <span>{name}</span>;
}
