import { Link, getRouteApi } from '@tanstack/react-router';
import type { User } from '@carillon/client';
import { useState } from 'react';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { Forbidden } from '../../components/forbidden';
import { SearchBox } from '../../form/search-box';
import { Table } from '../../components/table';
import { text } from '../../text/text';
import { PersonDialog } from './person-dialog';
import { nameOf } from './person-name';

const route = getRouteApi('/o/$org/people');

export function People() {
  const { org } = route.useParams();
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  const mayRead = can('user:read');
  const query = { search };
  const people = useList('/api/o/{org}/u/', { path: { org }, query }, { enabled: mayRead, poll: true, keep: true });
  const mayWrite = can('user:write', 'organization');
  const upload = mayWrite && (
    <Link className="button" to="/o/$org/people/import" params={{ org }}>
      {text.import.open}
    </Link>
  );
  const create = mayWrite && (
    <button className="button primary" onClick={() => setCreating(true)}>
      {text.person.create}
    </button>
  );
  return (
    <div className="page medium">
      <div className="head">
        <h1>{text.pages.people}</h1>
        <MoreMenu
          live={people.error ? 'lost' : 'polled'}
          call={{ path: `/api/o/${org}/u/?limit=50${search ? `&search=${encodeURIComponent(search)}` : ''}` }}
        />
        {upload}
        {create}
      </div>
      {mayRead ? (
        <>
          <SearchBox
            label={text.person.search}
            value={search}
            maxLength={100}
            onSearch={(words) => void navigate({ search: { search: words }, replace: true })}
          />
          <Table
            label={text.pages.people}
            list={people}
            keyOf={({ id }) => id}
            columns={columnsOf(org)}
            empty={<NoPeople search={search} create={create} />}
          />
        </>
      ) : (
        <Forbidden what={text.forbidden.people} permission="user:read" />
      )}
      {isCreating && <PersonDialog org={org} onClose={() => setCreating(false)} />}
    </div>
  );
}

const columnsOf = (org: string) => [
  {
    name: text.person.name,
    kind: 'main' as const,
    cell: (user: User) => (
      <Link to="/o/$org/people/$username" params={{ org, username: user.username }} search={{}}>
        {nameOf(user)}
      </Link>
    ),
  },
  { name: text.person.email, cell: ({ email }: User) => email },
  {
    name: text.person.state,
    kind: 'narrow' as const,
    cell: ({ locked }: User) => (locked ? <Badge tone="warn">{text.person.locked}</Badge> : null),
  },
];

function NoPeople({ search, create }: { search: string | undefined; create: React.ReactNode }) {
  if (search) return <Empty title={text.person.notFound(search)}>{text.person.notFoundHint}</Empty>;
  return (
    <Empty title={text.person.none} action={create}>
      {text.person.noneHint}
    </Empty>
  );
}
