import type { UserProfile } from '@carillon/client';
import { useState } from 'react';
import { useAuthors } from '../../../api/authors';
import { carillon } from '../../../api/carillon';
import { seenOf, useEdit } from '../../../api/edit';
import { FormDialog } from '../../../form/form-dialog';
import { text } from '../../../text/text';
import { fieldsOf, rowsOf } from './field-rows';
import { FieldsInput } from './fields-input';

const PROFILE = '/api/o/{org}/users/{email}/';

interface Props {
  org: string;
  username: string;
  profile: UserProfile;
  onClose: () => void;
}

/** Changes the custom fields of a user, and nothing else. */
export function FieldsDialog({ org, username, profile, onClose }: Props) {
  const [rows, setRows] = useState(() => rowsOf(profile.custom_fields));
  const [faults, setFaults] = useState<(string | null)[]>([]);
  const [seen] = useState(() => seenOf(profile));
  const path = { org, email: username };
  const save = useEdit({
    seen: () => seen,
    read: () => carillon.get(PROFILE, { path }),
    write: (custom_fields: Record<string, unknown>, headers) => {
      // The names would become empty if they were left out.
      const { first_name, last_name } = profile;
      return carillon.put(PROFILE, { path, headers, body: { first_name, last_name, custom_fields } });
    },
    authors: useAuthors(org, 'user', username),
    reads: [PROFILE],
    onDone: onClose,
    onReload: onClose,
  });
  function submit() {
    const read = fieldsOf(rows);
    setFaults('faults' in read ? read.faults : []);
    if ('fields' in read) save.mutate(read.fields);
  }
  return (
    <FormDialog
      title={text.person.customFields}
      action={text.confirm.save}
      onClose={onClose}
      onSubmit={submit}
      isPending={save.isPending}
      error={save.error}
    >
      <FieldsInput
        isTitled
        rows={rows}
        faults={faults}
        error={save.error}
        onChange={(next) => {
          setRows(next);
          setFaults([]);
        }}
      />
    </FormDialog>
  );
}
