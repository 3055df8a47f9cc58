import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { keyOf, useRead } from '../../api/read';
import { queryClient } from '../../api/query-client';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';

const words = text.settings.remove;

/** Deletes the organization. One that still has projects is refused. */
export function RemoveOrganization({ org }: { org: string }) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const name = useRead('/api/o/{org}/', { path: { org } }).data?.name ?? org;
  const remove = useMutation({
    mutationFn: () => carillon.delete('/api/o/{org}/', { path: { org } }),
    onSuccess: async () => {
      await navigate({ to: '/', search: { choose: '1' } });
      await queryClient.invalidateQueries({ queryKey: keyOf('/api/o/') });
    },
  });
  function close() {
    setAsking(false);
    remove.reset();
  }
  return (
    <section className="card stack" aria-label={words.title}>
      <div>
        <h2>{words.title}</h2>
        <p className="soft">{words.hint}</p>
      </div>
      <div className="row">
        <button className="button danger" aria-haspopup="dialog" onClick={() => setAsking(true)}>
          {words.open}
        </button>
      </div>
      {isAsking && (
        <Confirm
          title={words.confirm(name)}
          action={words.action}
          word={name}
          onClose={close}
          onConfirm={() => remove.mutate()}
          isPending={remove.isPending}
          error={remove.error}
        >
          {words.effect}
        </Confirm>
      )}
    </section>
  );
}
