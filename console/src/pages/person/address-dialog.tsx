import type { Address } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { text } from '../../text/text';

interface Props {
  org: string;
  username: string;
  /** None: a new one. */
  address?: Address;
  onClose: () => void;
}

export function AddressDialog({ org, username, address, onClose }: Props) {
  const [name, setName] = useState(address?.name ?? 'phone');
  const [value, setValue] = useState(address?.value ?? '');
  const save = useWrite(() => {
    const path = { org, username };
    return address
      ? carillon.patch('/api/o/{org}/u/{username}/address/{name}/{value}/', {
          path: { ...path, ...address },
          body: { value: value.trim() },
        })
      : carillon.post('/api/o/{org}/u/{username}/address/', {
          path,
          body: { name: name.trim(), value: value.trim() },
        });
  }, '/api/o/{org}/u/{username}/address/');
  return (
    <FormDialog
      title={address ? text.person.changeAddress : text.person.addAddressTitle}
      action={address ? text.confirm.save : text.person.addAddress}
      onClose={onClose}
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      isPending={save.isPending}
      error={save.error}
    >
      {!address && (
        <Field label={text.person.kind} hint={text.person.kindHint} error={save.error} name="name">
          <input className="input" required value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
      )}
      <Field
        label={address ? text.person.addressOf(address.name) : text.person.address}
        hint={address && text.person.changeAddressHint}
        error={save.error}
        name="value"
      >
        <input className="input" required autoFocus value={value} onChange={(event) => setValue(event.target.value)} />
      </Field>
    </FormDialog>
  );
}
