import type { User } from '@carillon/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { serviceUrl } from '../../api/place';
import { queryClient } from '../../api/query-client';
import { keyOf } from '../../api/read';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { Badge } from '../../components/badge';
import { Confirm } from '../../form/confirm';
import { CopyCurl } from '../../components/curl';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import { PersonDialog } from './person-dialog';
import { nameOf } from './person-name';

const PERSON = '/api/o/{org}/u/{username}/';

export function PersonHead({ org, user }: { org: string; user: User }) {
  const can = useCan();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const path = { org, username: user.username };
  const lock = useWrite(
    () => carillon.patch(PERSON, { path, body: { locked: !user.locked } }),
    PERSON,
    '/api/o/{org}/u/',
  );
  const close = () => setDialog(null);
  return (
    <>
      <div className="head">
        <div className="title">
          <h1>{nameOf(user)}</h1>
          <span className="soft">{user.email}</span>
        </div>
        {user.locked && <Badge tone="warn">{text.person.locked}</Badge>}
        <CopyCurl call={{ path: `/api/o/${org}/u/${encodeURIComponent(user.username)}/` }} />
        {can('user:export', 'organization') && (
          <a
            className="button"
            href={exportOf(org, user.username)}
            download={`${user.username}.ndjson`}
            title={text.person.exportHint}
          >
            {text.person.export}
          </a>
        )}
        {can('user:write', 'organization') && (
          <>
            <button className="button" onClick={() => setDialog('edit')}>
              {text.person.edit}
            </button>
            <button
              className="button"
              disabled={lock.isPending}
              title={text.person.lockHint}
              onClick={() => lock.mutate(undefined)}
            >
              {user.locked ? text.person.unlock : text.person.lock}
            </button>
            <button className="button danger" onClick={() => setDialog('delete')}>
              {text.person.delete}
            </button>
          </>
        )}
      </div>
      {user.locked && <p className="note warn">{text.person.lockedHint}</p>}
      {lock.error && <Problem error={lock.error} />}
      {dialog === 'edit' && <PersonDialog org={org} user={user} onClose={close} />}
      {dialog === 'delete' && <DeletePerson org={org} username={user.username} onClose={close} />}
    </>
  );
}

/** The browser saves it while it comes: it may be large. */
const exportOf = (org: string, username: string) =>
  `${serviceUrl}/api/o/${encodeURIComponent(org)}/u/${encodeURIComponent(username)}/export/`;

function DeletePerson({ org, username, onClose }: { org: string; username: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [isErased, setErased] = useState(false);
  const remove = useWrite(
    () => carillon.delete(PERSON, { path: { org, username }, query: isErased ? { erase: '1' } : {} }),
    '/api/o/{org}/u/',
  );
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: async () => {
        await navigate({ to: '/o/$org/people', params: { org }, search: {} });
        queryClient.removeQueries({ queryKey: keyOf(PERSON, { path: { org, username } }) });
      },
    });
  return (
    <Confirm
      title={text.person.deleteTitle(username)}
      action={isErased ? text.person.erase : text.person.delete}
      word={username}
      onClose={onClose}
      onConfirm={confirm}
      isPending={remove.isPending}
      error={remove.error}
    >
      {text.person.deleteHint}
      <label className="check">
        <input type="checkbox" checked={isErased} onChange={({ target }) => setErased(target.checked)} />
        <span>
          {text.person.eraseToo}
          <span className="soft">{text.person.eraseHint}</span>
        </span>
      </label>
    </Confirm>
  );
}
