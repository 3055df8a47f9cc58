import type { FigureCounts } from '@carillon/client';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';

const SHOWN = ['sent', 'failed', 'waiting', 'opted_out', 'bounced'] as const;
/** More of them is worse. */
const BAD = ['failed', 'opted_out', 'bounced'] as const satisfies readonly (typeof SHOWN)[number][];

/** The sums of the period, each beside that of the period before. */
export function Totals({ now, before }: { now: FigureCounts; before: FigureCounts | undefined }) {
  return (
    <dl className="totals">
      {SHOWN.map((name) => (
        <div key={name} className="card total">
          <dt>{text.figures.counts[name]}</dt>
          <dd className="figure">{formatNumber(now[name])}</dd>
          {before && before.messages > 0 && name !== 'waiting' && (
            <dd className={toneOf(name, now[name], before[name])}>
              {text.figures.before(changeOf(now[name], before[name]), before[name])}
            </dd>
          )}
        </div>
      ))}
      <div className="card total">
        <dt>{text.figures.time}</dt>
        <dd className="figure">{text.figures.within(now.half_within_seconds)}</dd>
        <dd className="soft">{text.figures.most(now.most_within_seconds)}</dd>
      </div>
    </dl>
  );
}

/** In percent; null: there was nothing to compare with. */
const changeOf = (now: number, before: number) => (before === 0 ? null : Math.round(((now - before) / before) * 100));

/** A tenth more is worth a look. */
function toneOf(name: (typeof SHOWN)[number], now: number, before: number): string {
  const isWorse = (BAD as readonly string[]).includes(name) && now > before * 1.1 && now > 0;
  return isWorse ? 'worse' : 'soft';
}
