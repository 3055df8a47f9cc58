import type { Minute } from '@carillon/client';
import { Suspense, lazy } from 'react';
import { Rows } from '../../components/skeleton';
import { formatNumber } from '../../text/format';
import { locale } from '../../text/language';
import { text } from '../../text/text';

const Chart = lazy(async () => ({ default: (await import('./chart')).Chart }));
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/** The triggers of the last hour: as a chart, as a sentence, and as a table. */
export function Minutes({ minutes }: { minutes: Minute[] }) {
  const total = minutes.reduce((sum, { triggers }) => sum + triggers, 0);
  return (
    <figure className="card minutes" aria-labelledby="minutes">
      <h2 id="minutes">{text.now.chart}</h2>
      <div className="chart" aria-hidden="true">
        <Suspense fallback={<Rows count={6} />}>
          <Chart minutes={minutes} />
        </Suspense>
      </div>
      <figcaption className="stack">
        <p>{total === 0 ? text.now.chartNothing : sentenceOf(minutes, total)}</p>
        <p className="soft">{text.now.chartHint}</p>
        {total > 0 && <MinuteTable minutes={minutes} />}
      </figcaption>
    </figure>
  );
}

function sentenceOf(minutes: Minute[], total: number): string {
  const busiest = minutes.reduce((most, each) => (each.triggers > most.triggers ? each : most));
  const [sum, most] = [total, busiest.triggers].map((count) => formatNumber(count));
  return text.now.chartText(sum!, most!, clock.format(new Date(busiest.minute)));
}

/** Only the minutes in which something happened. */
function MinuteTable({ minutes }: { minutes: Minute[] }) {
  return (
    <details>
      <summary>{text.now.chartTable}</summary>
      <table className="table minute-table">
        <thead>
          <tr>
            <th scope="col">{text.now.minute}</th>
            <th scope="col" className="number">
              {text.now.triggers}
            </th>
          </tr>
        </thead>
        <tbody>
          {minutes
            .filter(({ triggers }) => triggers > 0)
            .map(({ minute, triggers }) => (
              <tr key={minute}>
                <td data-label={text.now.minute}>{clock.format(new Date(minute))}</td>
                <td data-label={text.now.triggers} className="number">
                  {triggers}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}
