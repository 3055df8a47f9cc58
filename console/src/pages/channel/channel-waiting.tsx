import type { ChannelSettings } from '@carillon/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { Time } from '../../components/time';
import { useMask } from '../../components/use-mask';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';
import { CHANNEL_READS, discardWaiting, waitingQuery } from './calls';
import type { ChannelPlace } from './place';

const COUNT_AGAIN_MS = 3_000;

interface Props {
  place: ChannelPlace;
  channel: ChannelSettings;
  /** Whether it is on and its provider works: then it has something to show only if attempts failed. */
  isFine: boolean;
}

/**
 * What waits until the channel is switched on, and the way to discard it before; while its provider fails, what waits and what it answered. And
 * the failures of the last day.
 */
export function ChannelWaiting({ place, channel, isFine }: Props) {
  const { org, prj, slug } = place;
  const can = useCan();
  const [isAsked, setAsked] = useState(false);
  const { data } = useQuery({ ...waitingQuery(place), refetchInterval: COUNT_AGAIN_MS });
  const mask = useMask();
  const discard = useWrite(() => discardWaiting(org, prj, slug), ...CHANNEL_READS);
  // A key that reaches only a part of the owner may not see it.
  if (!data || (isFine && data.waiting === 0 && data.recent_failures.length === 0)) return null;
  const number = formatNumber(data.waiting);
  // Of a channel that is on, the count stops.
  const count = channel.enabled && data.waiting >= 1000 ? `${number}+` : number;
  const words = text.channel.waiting;
  function close() {
    setAsked(false);
    discard.reset();
  }
  return (
    <section className="card stack">
      {data.waiting === 0 && !isFine && <p className="soft">{words.none}</p>}
      {data.waiting > 0 && (
        <>
          <p className="waiting">
            <span className="figure">{count}</span>
            <span>{words.label(count)}</span>
          </p>
          {data.since && (
            <p className="soft">
              {words.since} <Time at={data.since} />
            </p>
          )}
          {!channel.enabled && can('occurrence:write') && (
            <div className="row">
              <button className="button danger" onClick={() => setAsked(true)}>
                {words.discard}
              </button>
            </div>
          )}
        </>
      )}
      {data.last_failure && (
        <>
          <p className="soft">{words.lastFailure}</p>
          <code className="answer-line">{mask(data.last_failure)}</code>
        </>
      )}
      {data.recent_failures.length > 0 && (
        <details>
          <summary>{words.failures(data.recent_failures.length)}</summary>
          <ul className="failures">
            {data.recent_failures.map(({ at, answer, occurrence }) => (
              <li key={`${at} ${occurrence} ${answer}`}>
                <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence }} search={{}}>
                  <Time at={at} />
                </Link>
                <code className="answer-line">{mask(answer)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {isAsked && (
        <Confirm
          title={words.ask(count, channel.name)}
          action={words.action}
          onClose={close}
          onConfirm={() => discard.mutate(undefined, { onSuccess: close })}
          isPending={discard.isPending}
          error={discard.error}
        >
          {words.text}
        </Confirm>
      )}
    </section>
  );
}
