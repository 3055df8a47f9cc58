import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/read';
import { useSession } from '../../api/session';
import { useWrite } from '../../api/write';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { slugOf } from '../../form/slug';
import { text } from '../../text/text';
import { CHANNEL_READS, createChannel } from './calls';
import { ConfigForm } from './config-form';
import type { Config } from './config-form';

/** A new channel: whose, of which type, and what its dispatcher needs. */
export function CreateChannel({ org, onClose }: { org: string; onClose: () => void }) {
  const navigate = useNavigate();
  const own = useSession()?.project ?? null;
  const dispatchers = useRead('/api/dispatchers/', {}).data ?? [];
  const projects = useRead('/api/o/{org}/p/', { path: { org }, query: { limit: 1000 } }).data ?? [];
  const [prj, setProject] = useState(own ?? '');
  const [type, setType] = useState('email');
  const [name, setName] = useState('');
  const [ownSlug, setSlug] = useState<string | null>(null);
  // What was typed for one type is still there when one comes back to it.
  const [configs, setConfigs] = useState<Record<string, Config>>({});
  const dispatcher = dispatchers.find((one) => one.type === type);
  const slug = ownSlug ?? slugOf(name);
  const write = useWrite(
    () => createChannel(org, prj || null, { slug, name, type, config: configs[type] ?? {} }),
    ...CHANNEL_READS,
  );
  async function submit() {
    await write.mutateAsync(undefined);
    onClose();
    void navigate({ to: '/o/$org/channels/$prj/$channel', params: { org, prj: prj || '-', channel: slug } });
  }
  return (
    <FormDialog
      title={text.channel.create}
      action={text.channel.createAction}
      onClose={onClose}
      onSubmit={() => void submit().catch(() => undefined)}
      isPending={write.isPending}
      error={write.error}
    >
      <div className="columns pair">
        <Field
          label={text.channel.type}
          hint={text.channel.reaches[dispatcher?.room ? 'room' : 'users']}
          error={write.error}
          name="type"
        >
          <select className="input" value={type} onChange={(change) => setType(change.target.value)}>
            {([false, true] as const).map((room) => (
              <optgroup key={String(room)} label={text.channel.kinds[room ? 'room' : 'users']}>
                {dispatchers
                  .filter((one) => one.room === room)
                  .map((one) => (
                    <option key={one.type} value={one.type}>
                      {one.label}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </Field>
        <Field label={text.channel.owner}>
          <select
            className="input"
            value={prj}
            disabled={own !== null}
            onChange={(change) => setProject(change.target.value)}
          >
            {own === null && <option value="">{text.channel.organization}</option>}
            {projects.map((project) => (
              <option key={project.slug} value={project.slug}>
                {text.channel.project(project.name)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={text.event.name} error={write.error} name="name">
          <input
            className="input"
            value={name}
            onChange={(change) => setName(change.target.value)}
            required
            autoFocus
          />
        </Field>
        <Field label={text.event.slug} error={write.error} name="slug">
          <input className="input mono" value={slug} onChange={(change) => setSlug(change.target.value)} required />
        </Field>
      </div>
      <ConfigForm
        key={type}
        fields={dispatcher?.fields ?? []}
        stored={{}}
        config={configs[type] ?? {}}
        onChange={(config) => setConfigs({ ...configs, [type]: config })}
        error={write.error}
      />
    </FormDialog>
  );
}
