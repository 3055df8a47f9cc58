import type { User } from '@carillon/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { text } from '../../text/text';
import { fieldsOf } from './field/field-rows';
import type { FieldRow } from './field/field-rows';
import { FieldsInput } from './field/fields-input';

interface Props {
  org: string;
  user?: User;
  onClose: () => void;
  /** A new user is not opened: the page that asked for it continues. */
  stays?: boolean;
}

/** Creates a user, or changes the name of one. The e-mail is the username and stays. */
export function PersonDialog({ org, user, onClose, stays }: Props) {
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [first_name, setFirst] = useState(user?.first_name ?? '');
  const [last_name, setLast] = useState(user?.last_name ?? '');
  const [rows, setRows] = useState<FieldRow[]>([]);
  const [faults, setFaults] = useState<(string | null)[]>([]);
  const save = useWrite(
    (custom_fields: Record<string, unknown>) => {
      const body = { first_name, last_name };
      return user
        ? carillon.patch('/api/o/{org}/u/{username}/', { path: { org, username: user.username }, body })
        : carillon.post('/api/o/{org}/u/', { path: { org }, body: { ...body, email: email.trim(), custom_fields } });
    },
    '/api/o/{org}/u/',
    '/api/o/{org}/u/{username}/',
  );
  function submit() {
    const read = fieldsOf(rows);
    setFaults('faults' in read ? read.faults : []);
    if ('faults' in read) return;
    save.mutate(read.fields, {
      onSuccess: ({ username }) => {
        onClose();
        if (!user && !stays) void navigate({ to: '/o/$org/people/$username', params: { org, username }, search: {} });
      },
    });
  }
  return (
    <FormDialog
      title={user ? text.person.edit : text.person.create}
      action={user ? text.confirm.save : text.person.create}
      onClose={onClose}
      onSubmit={submit}
      isPending={save.isPending}
      error={save.error}
    >
      {!user && (
        <Field label={text.person.email} hint={text.person.emailHint} error={save.error} name="email">
          <input
            className="input"
            type="email"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
      )}
      <Field label={text.person.firstName} error={save.error} name="first_name">
        <input className="input" value={first_name} onChange={(event) => setFirst(event.target.value)} />
      </Field>
      <Field label={text.person.lastName} error={save.error} name="last_name">
        <input className="input" value={last_name} onChange={(event) => setLast(event.target.value)} />
      </Field>
      {!user && (
        <FieldsInput
          rows={rows}
          faults={faults}
          error={save.error}
          onChange={(next) => {
            setRows(next);
            setFaults([]);
          }}
        />
      )}
    </FormDialog>
  );
}
