import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../../api/carillon';
import { useEventNames } from '../../../api/names';
import { useWrite } from '../../../api/write';
import { Field } from '../../../form/field';
import { FormDialog } from '../../../form/form-dialog';
import { slugOf } from '../../../form/slug';
import { text } from '../../../text/text';

/** Where to create: nothing means a project, with `prj` an application of it, with both an event. */
export interface Wanted {
  prj?: string;
  app?: string;
}

/** Creates a project, an application or an event: each has a name, and a slug that stands in addresses. */
export function CreatePlace({
  org,
  wanted: { prj, app },
  onClose,
  stays,
}: {
  org: string;
  wanted: Wanted;
  onClose: () => void;
  /** A new event is not opened: the page that asked for it continues. */
  stays?: boolean;
}) {
  const navigate = useNavigate();
  const names = useEventNames(org, { project: prj ?? '', application: app ?? '', event: '' });
  const [name, setName] = useState('');
  const [ownSlug, setSlug] = useState<string | null>(null);
  const slug = ownSlug ?? slugOf(name);
  const write = useWrite(
    async (body: { name: string; slug: string }): Promise<unknown> => {
      if (!prj) return carillon.post('/api/o/{org}/p/', { path: { org }, body });
      if (!app) return carillon.post('/api/o/{org}/p/{prj}/a/', { path: { org, prj }, body });
      return carillon.post('/api/o/{org}/p/{prj}/a/{app}/e/', { path: { org, prj, app }, body });
    },
    ...(['/api/o/{org}/p/', '/api/o/{org}/p/{prj}/a/', '/api/o/{org}/p/{prj}/a/{app}/e/'] as const),
  );
  const kind = app ? 'event' : prj ? 'application' : 'project';
  async function submit() {
    await write.mutateAsync({ name, slug });
    onClose();
    if (prj && app && !stays)
      void navigate({ to: '/o/$org/events/$prj/$app/$evt', params: { org, prj, app, evt: slug }, search: {} });
  }
  return (
    <FormDialog
      title={text.event.create[kind]}
      action={text.event.createAction}
      onClose={onClose}
      onSubmit={() => void submit().catch(() => undefined)}
      isPending={write.isPending}
      error={write.error}
    >
      {prj && <p className="soft">{text.event.in(app ? names.place : names.project)}</p>}
      <Field label={text.event.name} error={write.error} name="name">
        <input className="input" value={name} onChange={(change) => setName(change.target.value)} required autoFocus />
      </Field>
      <Field label={text.event.slug} hint={text.event.slugHint} error={write.error} name="slug">
        <input
          className="input mono"
          value={slug}
          onChange={(change) => setSlug(change.target.value)}
          required
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}
