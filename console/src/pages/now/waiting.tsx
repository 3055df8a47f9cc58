import type { SwitchedOff, WaitingReason } from '@carillon/client';
import { useSwitchName } from '../../api/names';
import { ChannelPath } from '../../components/links';
import { Time } from '../../components/time';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';

/** Counts of one reason stop here. */
const MAX_OF_REASON = 5000;

const many = (count: number) => (count >= MAX_OF_REASON ? `${formatNumber(MAX_OF_REASON)}+` : formatNumber(count));

/** What is not sent yet: why, how much, since when, and until when. */
export function WaitingNow({ org, waiting }: { org: string; waiting: WaitingReason[] }) {
  return (
    <section className="card stack" aria-labelledby="waiting">
      <h2 id="waiting">{text.now.waiting}</h2>
      <ul className="waiting-reasons">
        {waiting.map((one) => (
          <li key={`${one.reason} ${one.channel} ${one.switched_off?.path}`}>
            <strong>
              <Reason org={org} waiting={one} />
            </strong>
            <span>
              {[
                ...(one.triggers > 0 ? [text.now.waitingTriggers(many(one.triggers))] : []),
                ...(one.messages > 0 ? [text.now.waitingMessages(many(one.messages))] : []),
              ].join(', ')}
            </span>
            <span className="soft">
              {one.since && (
                <>
                  {text.now.since} <Time at={one.since} />
                </>
              )}
              {one.until && (
                <>
                  {one.since && ', '}
                  {text.now.until} <Time at={one.until} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reason({ org, waiting: { reason, channel, switched_off: off } }: { org: string; waiting: WaitingReason }) {
  if (reason === 'off' && off) return <IsOff org={org} off={off} />;
  if (reason === 'channel' && channel) {
    return (
      <>
        {text.now.reasonChannel} <ChannelPath org={org} path={channel} />
      </>
    );
  }
  return text.now.reasons[reason];
}

function IsOff({ org, off: { kind, path } }: { org: string; off: SwitchedOff }) {
  return text.now.reasonOff(text.now.kinds[kind], useSwitchName(org, kind, path));
}
