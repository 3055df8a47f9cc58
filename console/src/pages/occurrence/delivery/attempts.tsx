import type { Attempt } from '@carillon/client';
import { Badge } from '../../../components/badge';
import { Time } from '../../../components/time';
import { useMask } from '../../../components/use-mask';
import { formatNumber } from '../../../text/format';
import { text } from '../../../text/text';

const TONES = { sent: 'good', rejected: 'bad', retry: 'warn' } as const;

/** Each call to the provider, with its answer. */
export function Attempts({ attempts }: { attempts: Attempt[] }) {
  const mask = useMask();
  if (attempts.length === 0) return <p className="soft">{text.delivery.noAttempts}</p>;
  return (
    <ol className="attempts">
      {attempts.map(({ number, at, duration_ms, outcome, answer }) => (
        <li key={number}>
          <span className="row">
            <strong>{number}</strong>
            <Badge tone={TONES[outcome]}>{text.delivery.outcomes[outcome]}</Badge>
            <span className="soft">
              <Time at={at} /> · {formatNumber(duration_ms)} ms
            </span>
          </span>
          <code>{mask(answer)}</code>
        </li>
      ))}
    </ol>
  );
}
