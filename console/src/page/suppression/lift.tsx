import type { Suppression } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';

/** Sends to an address again. */
export function Lift({ org, suppression: { id, value } }: { org: string; suppression: Suppression }) {
  const [isAsking, setAsking] = useState(false);
  const lift = useWrite(
    () => carillon.delete('/api/o/{org}/suppressions/{suppression}/', { path: { org, suppression: id } }),
    '/api/o/{org}/suppressions/',
    '/api/o/{org}/u/{username}/preferences/',
  );
  return (
    <>
      <button className="button small" onClick={() => setAsking(true)}>
        {text.suppression.lift}
        <span className="hidden"> {value}</span>
      </button>
      {isAsking && (
        <Confirm
          title={text.suppression.liftTitle(value)}
          action={text.suppression.lift}
          onClose={() => setAsking(false)}
          onConfirm={() => lift.mutate(undefined, { onSuccess: () => setAsking(false) })}
          isPending={lift.isPending}
          error={lift.error}
        >
          {text.suppression.liftHint}
        </Confirm>
      )}
    </>
  );
}
