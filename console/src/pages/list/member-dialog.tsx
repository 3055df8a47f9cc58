import type { Member } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { text } from '../../text/text';
import { useChannelNames, useChannels } from '../channel/use-channels';

interface Props {
  path: { org: string; prj: string; pk: number; member: number };
  member: Member;
  onClose: () => void;
}

/** Whether a member gets messages, and over which channel. */
export function MemberDialog({ path, member, onClose }: Props) {
  const { org, prj } = path;
  const can = useCan();
  const enabled = can('organization:read');
  const channels = (useChannels(org, prj) ?? []).map(({ slug }) => slug);
  const nameOf = useChannelNames(org, prj);
  const [active, setActive] = useState(member.active);
  const [chosen, setChosen] = useState<string | null>(null);
  // Without a chosen channel, `channel` is the kind of the address.
  const channel = chosen ?? (channels.includes(member.channel) ? member.channel : '');
  const save = useWrite(
    () =>
      carillon.patch('/api/o/{org}/p/{prj}/d/{pk}/m/{member}/', {
        path,
        body: chosen === null ? { active } : { active, channel: chosen || null },
      }),
    '/api/o/{org}/p/{prj}/d/{pk}/m/',
  );
  return (
    <FormDialog
      title={member.user}
      action={text.confirm.save}
      onClose={onClose}
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      isPending={save.isPending}
      error={save.error}
    >
      <label className="check">
        <input type="checkbox" checked={active} onChange={() => setActive(!active)} />
        {text.list.activeHint}
      </label>
      {enabled && (
        <Field label={text.list.channel} hint={text.list.channelHint} error={save.error} name="channel">
          <select className="input" value={channel} onChange={(event) => setChosen(event.target.value)}>
            <option value="">{text.list.everyChannel}</option>
            {channels.map((slug) => (
              <option key={slug} value={slug}>
                {nameOf(slug)}
              </option>
            ))}
          </select>
        </Field>
      )}
    </FormDialog>
  );
}
