import type { CreateApiKey } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { MomentInput } from '../../form/moment-input';
import { text } from '../../text/text';
import { NewKey } from './new-key';
import { PermissionChoice } from './permission-choice';
import { ReachChoice } from './reach-choice';
import type { Reach } from './reach-choice';

/** Creates a key, and shows it once. */
export function KeyDialog({ org, onClose }: { org: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<string[]>([]);
  const [reach, setReach] = useState<Reach>({});
  const [expires_at, setExpires] = useState<string | undefined>();
  const create = useWrite(() => {
    const body = { name: name.trim(), permissions, ...reach, expires_at } as CreateApiKey;
    return carillon.post('/api/o/{org}/k/', { path: { org }, body });
  }, '/api/o/{org}/k/');
  if (create.data) return <NewKey created={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title={text.key.create}
      action={text.key.create}
      wide
      onClose={onClose}
      onSubmit={() => create.mutate(undefined)}
      isPending={create.isPending}
      error={create.error}
    >
      <Field label={text.key.name} hint={text.key.nameHint} error={create.error} name="name">
        <input className="input" required autoFocus value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <PermissionChoice chosen={permissions} onChange={setPermissions} />
      <ReachChoice org={org} reach={reach} error={create.error} onChange={setReach} />
      <Field label={text.key.expires} hint={text.key.expiresHint} error={create.error} name="expires_at">
        <MomentInput value={expires_at} onChange={setExpires} />
      </Field>
    </FormDialog>
  );
}
