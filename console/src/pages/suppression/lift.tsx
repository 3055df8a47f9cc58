import type { Suppression } from '@carillon/client';
import { useState } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { useRead } from '../../api/read';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';

const SUPPRESSION = '/api/o/{org}/suppressions/{suppression}/';

/** Sends to an address again. */
export function Lift({ org, suppression }: { org: string; suppression: Suppression }) {
  const [isAsking, setAsking] = useState(false);
  const { id, name, value } = suppression;
  const path = { org, suppression: id };
  // The list has no versions.
  const { data: read, error } = useRead(SUPPRESSION, { path }, { enabled: isAsking });
  const close = () => setAsking(false);
  const lift = useEdit({
    seen: () => seenOf(read ?? suppression),
    read: () => carillon.get(SUPPRESSION, { path }),
    write: (_: void, headers) => carillon.delete(SUPPRESSION, { path, headers }),
    authors: useAuthors(org, 'suppression', `${name}/${value}`),
    reads: ['/api/o/{org}/suppressions/', SUPPRESSION, '/api/o/{org}/u/{username}/preferences/'],
    onDone: close,
    onReload: close,
  });
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
          onClose={close}
          onConfirm={() => lift.mutate()}
          isPending={lift.isPending || (!read && !error)}
          error={lift.error ?? error}
        >
          {text.suppression.liftHint}
        </Confirm>
      )}
    </>
  );
}
