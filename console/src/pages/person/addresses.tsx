import type { Address } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { AddressDialog } from './address-dialog';
import { AddressSuppressions } from './address-suppressions';

export const ADDRESSES = '/api/o/{org}/u/{username}/address/';

interface Props {
  org: string;
  username: string;
}

export function Addresses({ org, username }: Props) {
  const can = useCan();
  const [isAdding, setAdding] = useState(false);
  const path = { org, username };
  const { data, error, refetch } = useRead(ADDRESSES, { path, query: { limit: 1000 } }, { poll: true });
  const mayWrite = can('user:write', 'organization');
  return (
    <section className="card stack">
      <div className="row card-head">
        <h2>{text.person.addresses}</h2>
        {mayWrite && (
          <button className="button small" onClick={() => setAdding(true)}>
            {text.person.addAddress}
          </button>
        )}
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Rows count={2} />}
      {data?.length === 0 && <p className="soft">{text.person.noAddress}</p>}
      <ul className="person-addresses">
        {data?.map((address) => (
          <Row key={`${address.name}/${address.value}`} {...path} address={address} mayWrite={mayWrite} />
        ))}
      </ul>
      {isAdding && <AddressDialog {...path} onClose={() => setAdding(false)} />}
    </section>
  );
}

function Row({ org, username, address, mayWrite }: Props & { address: Address; mayWrite: boolean }) {
  const can = useCan();
  const [dialog, setDialog] = useState<'change' | 'delete' | null>(null);
  const { name, value } = address;
  const path = { org, username, name, value };
  const remove = useWrite(
    () => carillon.delete('/api/o/{org}/u/{username}/address/{name}/{value}/', { path }),
    ADDRESSES,
  );
  const close = () => setDialog(null);
  return (
    <li>
      <span className="soft">{name}</span>
      <span className="person-address">{value}</span>
      {can('suppression:read', 'project') && <AddressSuppressions org={org} address={address} />}
      {mayWrite && (
        <span className="row">
          <button className="button small plain" onClick={() => setDialog('change')}>
            {text.person.change}
            <span className="hidden"> {value}</span>
          </button>
          <button className="button small plain" onClick={() => setDialog('delete')}>
            {text.person.deleteAddress}
            <span className="hidden"> {value}</span>
          </button>
        </span>
      )}
      {dialog === 'change' && <AddressDialog org={org} username={username} address={address} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title={text.person.deleteAddressTitle(value)}
          action={text.person.deleteAddress}
          onClose={close}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.person.deleteAddressHint}
        </Confirm>
      )}
    </li>
  );
}
