import type { ChannelSettings } from '@carillon/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAuthors } from '../../api/authors';
import { seenOf, useEdit } from '../../api/edit';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';
import { CHANNEL_READS, readChannel, removeChannel, updateChannel } from './calls';
import type { ChannelPlace } from './place';

/** Off, on, and the end of a channel, with what each means. */
export function ChannelSwitch({ place, channel }: { place: ChannelPlace; channel: ChannelSettings }) {
  const { org, prj, slug } = place;
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'turn' | 'remove' | null>(null);
  const version = {
    seen: () => seenOf(channel),
    read: () => readChannel(org, prj, slug),
    authors: useAuthors(org, 'channel', prj === null ? slug : `${prj}/${slug}`),
    onReload: () => setAsked(null),
  };
  const turn = useEdit({
    ...version,
    write: (_: void, headers) => updateChannel(org, prj, slug, { enabled: !channel.enabled }, headers),
    reads: CHANNEL_READS,
    onDone: close,
  });
  const remove = useEdit({
    ...version,
    write: (_: void, headers) => removeChannel(org, prj, slug, headers),
    reads: ['/api/o/{org}/channel-health/'],
    onDone: () => navigate({ to: '/o/$org/channels', params: { org }, search: {} }),
  });
  function close() {
    setAsked(null);
    turn.reset();
    remove.reset();
  }
  const words = channel.enabled ? text.channel.turnOff : text.channel.turnOn;
  return (
    <section className="card stack">
      <h2>{text.channel.end}</h2>
      <p className="soft">{words.text}</p>
      <div className="row">
        <button className="button" onClick={() => setAsked('turn')}>
          {words.action}
        </button>
        <button className="button danger" onClick={() => setAsked('remove')}>
          {text.channel.remove.open}
        </button>
      </div>
      {asked === 'turn' && (
        <Confirm
          title={words.ask(channel.name)}
          action={words.action}
          onClose={close}
          onConfirm={() => turn.mutate()}
          isPending={turn.isPending}
          error={turn.error}
        >
          {words.text}
        </Confirm>
      )}
      {asked === 'remove' && (
        <Confirm
          title={text.channel.remove.ask(channel.name)}
          action={text.channel.remove.action}
          word={channel.name}
          onClose={close}
          onConfirm={() => remove.mutate()}
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.channel.remove.text}
        </Confirm>
      )}
    </section>
  );
}
