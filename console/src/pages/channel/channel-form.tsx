import type { ChannelSettings, Dispatcher } from '@carillon/client';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useAuthors } from '../../api/authors';
import { seenOf, useEdit } from '../../api/edit';
import { useCan } from '../../api/session';
import { Field } from '../../form/field';
import { LeaveForm } from '../../form/leave-form';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import { CHANNEL_READS, readChannel, updateChannel } from './calls';
import { ConfigForm } from './config-form';
import type { Config } from './config-form';
import type { ChannelPlace } from './place';
import { useChannels } from './use-channels';

interface Props {
  place: ChannelPlace;
  channel: ChannelSettings;
  dispatcher: Dispatcher;
}

/** Name, fallback and the settings of the dispatcher. */
export function ChannelForm({ place: { org, prj, slug }, channel, dispatcher }: Props) {
  const mayWrite = useCan()('channel:write');
  // Only what was typed: the rest follows what others save.
  const [typed, setTyped] = useState<{ name?: string; fallback?: string; config?: Config }>({});
  const { name, fallback, config } = { ...channel, fallback: channel.fallback ?? '', ...typed };
  const others = useChannels(org, prj)?.filter((one) => one.slug !== slug) ?? [];
  const body = {
    ...(name !== channel.name && { name }),
    ...(fallback !== (channel.fallback ?? '') && { fallback: fallback || null }),
    ...(JSON.stringify(config) !== JSON.stringify(channel.config) && { config }),
  };
  const isChanged = Object.keys(body).length > 0;
  // As it was when one began to type: what others save since shows in the fields that one has not touched.
  const seen = useRef(seenOf(channel));
  if (Object.keys(typed).length === 0) seen.current = seenOf(channel);
  const write = useEdit({
    seen: () => seen.current,
    read: () => readChannel(org, prj, slug),
    fields: () => body,
    write: (_: void, headers, changed) => updateChannel(org, prj, slug, changed, headers),
    authors: useAuthors(org, 'channel', prj === null ? slug : `${prj}/${slug}`),
    reads: CHANNEL_READS,
    onDone: () => setTyped({}),
    onReload: () => setTyped({}),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    write.mutate();
  }
  return (
    <form className="card form" onSubmit={submit} aria-label={text.channel.settings}>
      <h2>{text.channel.settings}</h2>
      <Field label={text.event.name} error={write.error} name="name">
        <input
          className="input"
          value={name}
          disabled={!mayWrite}
          onChange={(change) => setTyped({ ...typed, name: change.target.value })}
          required
        />
      </Field>
      <ConfigForm
        fields={dispatcher.fields}
        stored={channel.config}
        {...{ config, error: write.error }}
        onChange={(next) => setTyped({ ...typed, config: next })}
        disabled={!mayWrite}
      />
      <Field label={text.channel.fallback} hint={text.channel.fallbackHint} error={write.error} name="fallback">
        <select
          className="input"
          value={fallback}
          disabled={!mayWrite}
          onChange={(change) => setTyped({ ...typed, fallback: change.target.value })}
        >
          <option value="">{text.channel.noFallback}</option>
          {others.map((one) => (
            <option key={one.slug} value={one.slug}>
              {one.name}
            </option>
          ))}
        </select>
      </Field>
      {write.error && <Problem error={write.error} />}
      <LeaveForm isDirty={isChanged} />
      {mayWrite && (
        <div className="row">
          <button className="button primary" disabled={!isChanged || write.isPending}>
            {text.channel.save}
          </button>
          <span className="soft" role="status">
            {write.isSuccess && !isChanged ? text.channel.saved : isChanged ? text.channel.unsaved : ''}
          </span>
        </div>
      )}
    </form>
  );
}
