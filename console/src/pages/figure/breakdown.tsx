import type { FigureCounts, FigureRow, Figures } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { ChannelPath, PathName } from '../../components/links';
import { Rows } from '../../components/skeleton';
import { formatNumber } from '../../text/format';
import { messageName } from '../../text/message-name';
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
  /** The event of the page; undefined: all. */
  event: string | undefined;
}

/** The messages by event, channel, domain or reason: a bar and numbers for each, which lead to the occurrences behind them. */
export function Breakdown({ org, title, figures, event }: Props) {
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
                  <Name org={org} figures={figures} row={row} event={event} />
                  <span className="share" aria-hidden="true">
                    <span style={{ width: `${(row.messages / most) * 100}%` }} />
                  </span>
                </td>
                {columns.map((column) => (
                  <td key={column} data-label={text.figures.counts[column]} className="number">
                    <Count org={org} figures={figures} row={row} event={event} column={column} />
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

interface CellProps {
  org: string;
  figures: Figures;
  row: FigureRow;
  /** The event of the page. */
  event: string | undefined;
}

/** Of the counts of a row, those that lead to the occurrences behind them; `bounced` counts two reasons. */
const MESSAGES: Partial<Record<keyof FigureRow, { outcome: string; reason?: string }>> = {
  sent: { outcome: 'sent' },
  failed: { outcome: 'failed' },
  waiting: { outcome: 'waiting' },
  opted_out: { outcome: 'skipped', reason: 'opted_out' },
};

/** The filters of occurrences that leave those with the messages of a row; null: there are none. */
function filtersOf({ figures: { by, since, until }, row: { name }, event }: Omit<CellProps, 'org'>) {
  if (name === null) return null;
  const [outcome, reason] = name.split('/');
  const own = {
    event: { event: name },
    channel: { channel: name },
    domain: { domain: name },
    reason: { outcome, reason },
  };
  return { event, ...own[by as keyof typeof own], since: localTime(since), until: localTime(until) };
}

function Count({ org, column, ...props }: CellProps & { column: 'messages' | (typeof COLUMNS)[number] }) {
  const count = props.row[column];
  const search = filtersOf(props);
  const messages = MESSAGES[column];
  if (count === 0 || !messages || !search) return formatNumber(count);
  return (
    <Link to="/o/$org/occurrences" params={{ org }} search={{ ...search, ...messages }}>
      {formatNumber(count)}
    </Link>
  );
}

function Name({ org, ...props }: CellProps) {
  const { by } = props.figures;
  const { name } = props.row;
  const search = filtersOf(props);
  if (name === null || !search) return <span className="soft">{text.figures.deleted}</span>;
  if (by === 'channel') return <ChannelPath org={org} path={name} />;
  const [outcome, reason] = name.split('/');
  return (
    <Link to="/o/$org/occurrences" params={{ org }} search={search}>
      {by === 'event' ? <PathName org={org} path={name} /> : by === 'reason' ? messageName(outcome, reason) : name}
    </Link>
  );
}
