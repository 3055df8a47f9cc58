import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../api/carillon';
import { useWrite } from '../api/write';
import { Field } from '../form/field';
import { FormDialog } from '../form/form-dialog';
import { slugOf } from '../form/slug';
import { text } from '../text/text';

/** A new organization. Its creator, an operator, goes straight in. */
export function NewOrganization({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [ownSlug, setSlug] = useState<string | null>(null);
  const slug = ownSlug ?? slugOf(name);
  const create = useWrite(() => carillon.post('/api/o/', { body: { name, slug } }), '/api/o/');
  const submit = () =>
    create.mutate(undefined, {
      onSuccess: () => void navigate({ to: '/o/$org', params: { org: slug } }),
    });
  return (
    <FormDialog
      title={text.home.create}
      action={text.event.createAction}
      onClose={onClose}
      onSubmit={submit}
      isPending={create.isPending}
      error={create.error}
    >
      <p className="soft">{text.home.createHint}</p>
      <Field label={text.event.name} error={create.error} name="name">
        <input className="input" value={name} onChange={(event) => setName(event.target.value)} required autoFocus />
      </Field>
      <Field label={text.event.slug} hint={text.event.slugHint} error={create.error} name="slug">
        <input
          className="input mono"
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
          required
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}
