import type { DeliveryReport } from '@carillon/client';
import { Badge } from '../../../components/badge';
import { Time } from '../../../components/time';
import { useMask } from '../../../components/use-mask';
import { text } from '../../../text/text';

const TONES = {
  delayed: 'warn',
  soft_bounced: 'warn',
  delivered: 'good',
  seen: 'good',
  bounced: 'bad',
  complained: 'bad',
} as const;

/** What the provider said about the message after it had taken it, the oldest first. */
export function Reports({ reports }: { reports: DeliveryReport[] }) {
  const mask = useMask();
  return (
    <ol className="attempts">
      {reports.map(({ state, at, by, detail }, i) => (
        <li key={i}>
          <span className="row">
            <Badge tone={TONES[state]}>{text.delivery.reported[state]}</Badge>
            <span className="soft">
              <Time at={at} />
              {by && ` · ${text.delivery.seenBy[by]}`}
            </span>
          </span>
          {detail && <code>{mask(detail)}</code>}
        </li>
      ))}
    </ol>
  );
}
