import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { carillon } from '../../../api/carillon';
import { Problem } from '../../../components/problem';
import { Dialog } from '../../../form/dialog';
import { text } from '../../../text/text';
import { AskUser } from '../ask-user';
import { refreshOccurrence } from '../use-occurrence';

interface Props {
  org: string;
  occurrence: string;
  close: () => void;
}

const NOTE_MAX_LENGTH = 1000;

/** Acknowledges for a user who is chosen first: an API key is nobody. */
export function AcknowledgeDialog({ org, occurrence, close }: Props) {
  const [user, setUser] = useState('');
  const [note, setNote] = useState('');
  const act = useMutation({
    mutationFn: () =>
      carillon.post('/api/o/{org}/occurrences/{occurrence}/acknowledge/', {
        path: { org, occurrence },
        body: { user, note },
      }),
    onSuccess: async () => {
      await refreshOccurrence();
      close();
    },
  });
  return (
    <Dialog title={text.acknowledge.dialog} open onClose={close}>
      <p>{text.acknowledge.about}</p>
      <AskUser org={org} asked={user} ask={setUser} label={text.acknowledge.choose} />
      <label className="stack">
        {text.acknowledge.note}
        <input
          className="input"
          maxLength={NOTE_MAX_LENGTH}
          autoComplete="off"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      {act.error && <Problem error={act.error} />}
      <div className="actions">
        <button className="button" onClick={close}>
          {text.steer.keep}
        </button>
        <button className="button primary" disabled={user === '' || act.isPending} onClick={() => act.mutate()}>
          {act.isPending ? text.steer.doing : text.acknowledge.do(user)}
        </button>
      </div>
    </Dialog>
  );
}
