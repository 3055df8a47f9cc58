import type { FigureRow, Figures } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';
import { localTime, markOf, slotName } from './period';

const PARTS = ['sent', 'failed', 'skipped', 'waiting'] as const;
/** So many names of days or hours fit below the bars of a phone. */
const MARKS = 5;

interface Props {
  org: string;
  figures: Figures;
  event: string | undefined;
}

/** A bar for each hour or day, which leads to its occurrences; and the same as a table. */
export function Bars({ org, figures, event }: Props) {
  const { by, time_zone: timeZone, rows } = figures;
  const most = Math.max(...rows.map(({ messages }) => messages));
  const step = Math.ceil(rows.length / MARKS);
  const slots = rows.map((row, i) => ({
    row,
    label: slotName(by, row.name!, timeZone),
    search: { since: localTime(row.name!), until: localTime(rows[i + 1]?.name ?? figures.until), event },
    mark: i % step === 0 && rows.length - i >= step / 2 ? markOf(by, row.name!, timeZone) : undefined,
  }));
  return (
    <section className="card stack" aria-labelledby="over-time">
      <h2 id="over-time">{text.figures.over(by, timeZone)}</h2>
      <p className="legend">
        {PARTS.map((part) => (
          <span key={part} className="legend-part">
            <span className={`swatch ${part}`} aria-hidden="true" />
            {text.figures.counts[part]}
          </span>
        ))}
        <span className="soft">{text.figures.highest(most)}</span>
      </p>
      <ol className="bars">
        {slots.map(({ row, label, search, mark }) => (
          <li key={row.name} data-mark={mark}>
            {row.messages > 0 && (
              <Link
                to="/o/$org/occurrences"
                params={{ org }}
                search={search}
                className="figure-bar"
                title={sentenceOf(label, row)}
                aria-label={sentenceOf(label, row)}
              >
                {PARTS.map((part) => (
                  <span key={part} className={part} style={{ height: `${(row[part] / most) * 100}%` }} />
                ))}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <details>
        <summary>{text.figures.table}</summary>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{by === 'hour' ? text.figures.hour : text.figures.day}</th>
              {PARTS.map((part) => (
                <th key={part} scope="col" className="number">
                  {text.figures.counts[part]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {slots
              .filter(({ row }) => row.messages > 0)
              .map(({ row, label }) => (
                <tr key={row.name}>
                  <td className="main">{label}</td>
                  {PARTS.map((part) => (
                    <td key={part} data-label={text.figures.counts[part]} className="number">
                      {formatNumber(row[part])}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function sentenceOf(label: string, row: FigureRow): string {
  const parts = PARTS.filter((part) => row[part] > 0);
  const counts = parts.map((part) => `${formatNumber(row[part])} ${text.figures.counts[part].toLowerCase()}`);
  return `${label}: ${counts.join(', ')}`;
}
