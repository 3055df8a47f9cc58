import type { ApiKey } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';

export function Revoke({ org, apiKey: { id, name } }: { org: string; apiKey: ApiKey }) {
  const [isAsking, setAsking] = useState(false);
  const revoke = useWrite(
    () => carillon.post('/api/o/{org}/k/{key}/revoke/', { path: { org, key: id } }),
    '/api/o/{org}/k/',
    '/api/o/{org}/session/',
  );
  return (
    <>
      <button className="button small danger" onClick={() => setAsking(true)}>
        {text.key.revoke}
        <span className="hidden"> {name}</span>
      </button>
      {isAsking && (
        <Confirm
          title={text.key.revokeTitle(name)}
          action={text.key.revoke}
          onClose={() => setAsking(false)}
          onConfirm={() => revoke.mutate(undefined, { onSuccess: () => setAsking(false) })}
          isPending={revoke.isPending}
          error={revoke.error}
        >
          {text.key.revokeHint}
        </Confirm>
      )}
    </>
  );
}
