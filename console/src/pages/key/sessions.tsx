import type { Session } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useList } from '../../api/read';
import { useCan, useSession } from '../../api/session';
import { useWrite } from '../../api/write';
import { Badge } from '../../components/badge';
import { Confirm } from '../../form/confirm';
import { MoreMenu } from '../../components/more-menu';
import { ReachName } from '../../components/links';
import { Empty } from '../../components/empty';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { text } from '../../text/text';

const SESSIONS = '/api/o/{org}/session/';

/** Who is signed in to the console. */
export function Sessions({ org }: { org: string }) {
  const can = useCan();
  const own = useSession()?.id;
  const list = useList(SESSIONS, { path: { org } }, { poll: true });
  const [ending, setEnding] = useState<Session | null>(null);
  return (
    <section className="stack" aria-label={text.key.sessions}>
      <div className="head">
        <h2 className="title">{text.key.sessions}</h2>
        <MoreMenu live={list.error ? 'lost' : 'polled'} call={{ path: `/api/o/${org}/session/` }} />
      </div>
      <Table
        label={text.key.sessions}
        list={list}
        keyOf={({ id }: Session) => id}
        columns={columnsOf(org, own, can('user:read'), can('apikey:write') ? setEnding : null)}
        empty={<Empty title={text.key.noSessions} />}
      />
      {ending && <EndSession org={org} session={ending} onClose={() => setEnding(null)} />}
    </section>
  );
}

const columnsOf = (
  org: string,
  own: number | undefined,
  mayReadPeople: boolean,
  end: ((session: Session) => void) | null,
) => [
  {
    name: text.key.name,
    kind: 'main' as const,
    cell: ({ id, name, via }: Session) => (
      <>
        {via === 'oidc' && !mayReadPeople ? text.key.somebody : name}{' '}
        {id === own && <Badge tone="accent">{text.key.own}</Badge>}
      </>
    ),
  },
  { name: text.key.via, kind: 'narrow' as const, cell: ({ via }: Session) => text.key.vias[via] },
  {
    name: text.key.reach,
    kind: 'narrow' as const,
    cell: ({ project, application }: Session) =>
      project === null ? text.key.organization : <ReachName {...{ org, project, application }} />,
  },
  { name: text.key.began, kind: 'narrow' as const, cell: ({ created_at }: Session) => <Time at={created_at} /> },
  { name: text.key.lastUsed, kind: 'narrow' as const, cell: ({ last_used_at }: Session) => <Time at={last_used_at} /> },
  { name: text.key.expires, kind: 'narrow' as const, cell: ({ expires_at }: Session) => <Time at={expires_at} /> },
  ...(end
    ? [
        {
          name: '',
          kind: 'narrow' as const,
          cell: (session: Session) => (
            <button className="button small" onClick={() => end(session)}>
              {text.key.end}
              <span className="hidden"> {session.name}</span>
            </button>
          ),
        },
      ]
    : []),
];

function EndSession({ org, session, onClose }: { org: string; session: Session; onClose: () => void }) {
  const end = useWrite(
    () => carillon.delete('/api/o/{org}/session/{session}/', { path: { org, session: session.id } }),
    SESSIONS,
  );
  return (
    <Confirm
      title={text.key.endTitle(session.name)}
      action={text.key.end}
      onClose={onClose}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
      isPending={end.isPending}
      error={end.error}
    >
      {text.key.endHint}
    </Confirm>
  );
}
