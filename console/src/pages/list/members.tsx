import type { DistributionList, Member } from '@carillon/client';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { filtered } from '../../components/filtered';
import { PersonLink } from '../../components/links';
import { SearchBox } from '../../form/search-box';
import { Table } from '../../components/table';
import { text } from '../../text/text';
import { useChannels } from '../channel/use-channels';
import { AddMembersDialog } from './add-members-dialog';
import { MemberActions } from './member-actions';

const route = getRouteApi('/o/$org/lists/$prj/$list');

interface Props {
  org: string;
  project: string;
  list: DistributionList;
}

export function Members({ org, project, list }: Props) {
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const [isAdding, setAdding] = useState(false);
  const channels = useChannels(org, project);
  const path = { org, prj: project, pk: list.id };
  // A search looks at what has been read: it reads more at a time.
  const members = useList(
    '/api/o/{org}/p/{prj}/d/{pk}/m/',
    { path, query: { limit: search ? 1000 : 100 } },
    { poll: !search },
  );
  const found = filtered(members, search, ({ user, address }: Member) => `${user} ${address}`);
  const add = can('distributionlist:write') && (
    <button className="button primary" onClick={() => setAdding(true)}>
      {text.list.add}
    </button>
  );
  const at = `/api/o/${org}/p/${project}/d/${list.id}`;
  return (
    <section className="stack" aria-label={text.list.members}>
      <div className="head">
        <h2 className="title">{text.list.members}</h2>
        <MoreMenu live={members.error ? 'lost' : 'polled'} call={{ path: `${at}/m/?limit=100` }} />
        {add}
      </div>
      <SearchBox
        label={text.list.searchMembers}
        value={search}
        onSearch={(words) => void navigate({ search: { search: words }, replace: true })}
      />
      {search && members.items && members.hasNextPage && (
        <p className="soft">{text.list.searchedSoFar(members.items.length)}</p>
      )}
      <Table
        label={text.list.members}
        list={found}
        keyOf={({ id }) => id}
        columns={columnsOf({ org, project, list }, channels, can('distributionlist:write', 'project'))}
        empty={
          search ? (
            <Empty title={text.list.noMember(search)} />
          ) : (
            <Empty title={text.list.noMembers} action={add}>
              {text.list.noMembersHint}
            </Empty>
          )
        }
      />
      {isAdding && <AddMembersDialog path={path} onClose={() => setAdding(false)} />}
    </section>
  );
}

/** Without a chosen channel, `channel` of a member is the kind of the address. */
const columnsOf = (
  { org, project, list }: Props,
  channels: { slug: string; name: string }[] | undefined,
  mayWrite: boolean,
) => [
  {
    name: text.list.person,
    kind: 'main' as const,
    cell: ({ user }: Member) => <PersonLink org={org} username={user} />,
  },
  { name: text.list.address, cell: ({ user, address }: Member) => (address === user ? '' : address) },
  {
    name: text.list.channel,
    kind: 'narrow' as const,
    cell: ({ channel }: Member) => channels?.find(({ slug }) => slug === channel)?.name ?? text.list.everyChannel,
  },
  {
    name: text.list.state,
    kind: 'narrow' as const,
    cell: ({ active }: Member) =>
      active ? <Badge tone="good">{text.list.active}</Badge> : <Badge>{text.list.inactive}</Badge>,
  },
  ...(mayWrite
    ? [
        {
          name: '',
          kind: 'narrow' as const,
          cell: (member: Member) => <MemberActions org={org} project={project} list={list} member={member} />,
        },
      ]
    : []),
];
