import type { ChannelSettings } from '@carillon/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../api/read';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { CHANNEL_READS, discardWaiting, readWaiting } from './calls';
import type { ChannelPlace } from './place';

const COUNT_AGAIN_MS = 3_000;

/** What waits until the channel is switched on, and the way to discard it before. */
export function ChannelWaiting({ place, channel }: { place: ChannelPlace; channel: ChannelSettings }) {
  const { org, prj, slug } = place;
  const can = useCan();
  const [isAsked, setAsked] = useState(false);
  const { data } = useWaitingFor(place);
  const discard = useWrite(() => discardWaiting(org, prj, slug), ...CHANNEL_READS);
  // A key that reaches only a part of the owner may not see it.
  if (!data) return null;
  const count = data.waiting.toLocaleString('en-US');
  const words = text.channel.waiting;
  function close() {
    setAsked(false);
    discard.reset();
  }
  return (
    <section className="card stack">
      {data.waiting === 0 && <p className="soft">{words.none}</p>}
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
          {can('occurrence:write') && (
            <div className="row">
              <button className="button danger" onClick={() => setAsked(true)}>
                {words.discard}
              </button>
            </div>
          )}
        </>
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

function useWaitingFor({ org, prj, slug: channel }: ChannelPlace) {
  return useQuery({
    queryKey:
      prj === null
        ? keyOf('/api/o/{org}/c/{channel}/waiting/', { path: { org, channel } })
        : keyOf('/api/o/{org}/p/{prj}/c/{channel}/waiting/', { path: { org, prj, channel } }),
    queryFn: ({ signal }) => readWaiting(org, prj, channel, signal),
    refetchInterval: COUNT_AGAIN_MS,
    retry: false,
  });
}
