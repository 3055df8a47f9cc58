import type { OrganizationMember } from '@carillon/client';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useProjectNames } from '../../api/names';
import { useList } from '../../api/read';
import { useCan, useSession } from '../../api/session';
import { Badge } from '../../components/badge';
import { Empty } from '../../components/empty';
import { Forbidden } from '../../components/forbidden';
import { MoreMenu } from '../../components/more-menu';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { MemberDialog } from './member-dialog';
import { MemberLink } from './member-link';
import { RemoveMember } from './remove-member';
import './member.css';

const route = getRouteApi('/o/$org/members');

/** What is being done, and with whom; `add` with nobody yet. */
interface Doing {
  what: 'add' | 'change' | 'link' | 'remove';
  member?: OrganizationMember;
  /** Added just now. */
  isNew?: boolean;
}

/** The colleagues of the organization, and who of them is signed in. */
export function Members() {
  const { org } = route.useParams();
  const can = useCan();
  return (
    <div className="page members-page">
      {can('member:read', 'project') ? (
        <MemberList org={org} />
      ) : (
        <>
          <h1>{text.pages.members}</h1>
          <Forbidden what={text.forbidden.colleagues} permission="member:read" />
        </>
      )}
    </div>
  );
}

function MemberList({ org }: { org: string }) {
  const can = useCan();
  const own = useSession()?.person ?? null;
  const nameOf = useProjectNames(org);
  const [doing, setDoing] = useState<Doing | null>(null);
  const list = useList('/api/o/{org}/members/', { path: { org }, query: { limit: 200 } }, { poll: true });
  const mayWrite = can('member:write', 'project');
  const add = mayWrite && (
    <button className="button primary" onClick={() => setDoing({ what: 'add' })}>
      {text.member.add}
    </button>
  );
  const close = () => setDoing(null);
  return (
    <>
      <div className="head">
        <h1>{text.pages.members}</h1>
        <MoreMenu live={list.error ? 'lost' : 'polled'} call={{ path: `/api/o/${org}/members/` }} />
        {add}
      </div>
      <Table
        label={text.pages.members}
        list={list}
        keyOf={({ email }) => email}
        columns={[...columnsOf(own, nameOf), ...(mayWrite ? [actions(setDoing)] : [])]}
        empty={
          <Empty title={text.member.none} action={add}>
            {text.member.noneHint}
          </Empty>
        }
      />
      {(doing?.what === 'add' || doing?.what === 'change') && (
        <MemberDialog
          org={org}
          member={doing.member}
          onClose={close}
          onAdded={(member) => setDoing({ what: 'link', member, isNew: true })}
        />
      )}
      {doing?.what === 'link' && doing.member && (
        <MemberLink org={org} member={doing.member} isNew={doing.isNew === true} onClose={close} />
      )}
      {doing?.what === 'remove' && doing.member && <RemoveMember org={org} member={doing.member} onClose={close} />}
    </>
  );
}

const columnsOf = (own: string | null, nameOf: (project: string) => string) => [
  {
    name: text.member.who,
    kind: 'main' as const,
    cell: ({ name, email, sessions }: OrganizationMember) => (
      <>
        {name ?? email} {own === email && <Badge tone="accent">{text.member.you}</Badge>}{' '}
        {sessions > 0 && own !== email && <Badge tone="good">{text.member.signedIn}</Badge>}
        {name && <span className="soft member-email">{email}</span>}
      </>
    ),
  },
  {
    name: text.member.role,
    kind: 'narrow' as const,
    cell: ({ role }: OrganizationMember) => text.role.names[role],
  },
  {
    name: text.member.reach,
    kind: 'narrow' as const,
    cell: ({ project }: OrganizationMember) => (project ? nameOf(project) : text.member.organization),
  },
  {
    name: text.member.lastSignIn,
    kind: 'narrow' as const,
    cell: ({ signed_in_at }: OrganizationMember) => (signed_in_at ? <Time at={signed_in_at} /> : text.member.never),
  },
  {
    name: text.member.invited,
    kind: 'narrow' as const,
    cell: ({ invited_at, invited_by }: OrganizationMember) => (
      <>
        <Time at={invited_at} /> <span className="soft member-email">{text.member.by(invited_by)}</span>
      </>
    ),
  },
];

const actions = (act: (doing: Doing) => void) => ({
  name: '',
  kind: 'narrow' as const,
  cell: (member: OrganizationMember) => (
    <span className="row member-actions">
      {(['change', 'link', 'remove'] as const).map((what) => (
        <button
          key={what}
          className={what === 'remove' ? 'button small danger' : 'button small'}
          onClick={() => act({ what, member })}
        >
          {text.member.actions[what]}
          <span className="hidden"> {member.email}</span>
        </button>
      ))}
    </span>
  ),
});
