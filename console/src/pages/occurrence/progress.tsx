import type { Counts, ExplainedTotals } from '@carillon/client';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';

const PARTS = ['sent', 'pending', 'skipped', 'dead'] as const;

/** How far it is: a bar, the numbers, and what kept messages back. */
export function Progress({ counts, gates }: { counts: Counts; gates: ExplainedTotals['gates'] }) {
  const total = Math.max(1, counts.total);
  const kept = Object.entries(gates).filter(([, count]) => count > 0);
  return (
    <section className="card progress">
      <h2>
        <span className="figure">{formatNumber(counts.total)}</span> {text.occurrence.deliveries(String(counts.total))}
      </h2>
      <div className="bar" aria-hidden="true">
        {PARTS.filter((part) => counts[part] > 0).map((part) => (
          <span key={part} className={part} style={{ width: `${(counts[part] / total) * 100}%` }} />
        ))}
      </div>
      <dl className="counts" aria-live="polite" aria-atomic="false">
        {PARTS.map((part) => (
          <div key={part} className={part}>
            <dt>{text.occurrence.counts[part]}</dt>
            <dd>{formatNumber(counts[part])}</dd>
          </div>
        ))}
      </dl>
      {kept.length > 0 && (
        <p className="soft">
          {text.occurrence.gates}{' '}
          {kept.map(([gate, count]) => `${gate.replaceAll('_', ' ')} (${formatNumber(count)})`).join(', ')}
        </p>
      )}
    </section>
  );
}
