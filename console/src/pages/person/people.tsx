import { Link, getRouteApi } from '@tanstack/react-router';
import type { User } from '@carillon/client';
import { useState } from 'react';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { Forbidden } from '../../components/forbidden';
import { Table } from '../../components/table';
import { useSearchOn } from '../../components/use-search-on';
import { text } from '../../text/text';
import { ExportDialog } from './export/export-dialog';
import { PeopleFilters } from './filter/people-filters';
import { PeopleCount } from './filter/people-count';
import type { PeopleFilters as Filters } from './filter/people-query';
import { usePeopleQuery } from './filter/use-count';
import { PersonDialog } from './person-dialog';
import { nameOf } from './person-name';

const route = getRouteApi('/o/$org/people');

export function People() {
  const { org } = route.useParams();
  const filters: Filters = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const [dialog, setDialog] = useState<'create' | 'export' | null>(null);
  const mayRead = can('user:read');
  const { query, known, all, found, isFiltered } = usePeopleQuery(org, filters, mayRead);
  const people = useList('/api/o/{org}/u/', { path: { org }, query }, { enabled: mayRead, poll: true, keep: true });
  useSearchOn(people);
  const mayWrite = can('user:write', 'organization');
  const upload = mayWrite && (
    <Link className="button" to="/o/$org/people/import" params={{ org }}>
      {text.import.open}
    </Link>
  );
  const save = can('user:read', 'organization') && (
    <button className="button" onClick={() => setDialog('export')}>
      {text.people.export.open}
    </button>
  );
  const create = mayWrite && (
    <button className="button primary" onClick={() => setDialog('create')}>
      {text.person.create}
    </button>
  );
  return (
    <div className="page medium">
      <div className="head">
        <h1>{text.pages.people}</h1>
        <MoreMenu
          live={people.error ? 'lost' : 'polled'}
          call={{ path: `/api/o/${org}/u/?${new URLSearchParams(given({ limit: 50, ...query }))}` }}
        />
        {save}
        {upload}
        {create}
      </div>
      {mayRead ? (
        <>
          <PeopleFilters
            org={org}
            filters={filters}
            known={known}
            onChange={(next) => void navigate({ search: { ...next }, replace: true })}
          />
          <PeopleCount all={all} found={found} />
          <Table
            label={text.pages.people}
            list={people}
            keyOf={({ id }) => id}
            columns={columnsOf(org)}
            empty={<NoPeople filters={filters} isFiltered={isFiltered} create={create} />}
          />
        </>
      ) : (
        <Forbidden what={text.forbidden.people} permission="user:read" />
      )}
      {dialog === 'create' && <PersonDialog org={org} onClose={() => setDialog(null)} />}
      {dialog === 'export' && (
        <ExportDialog {...{ org, query, isFiltered }} count={found ?? all} onClose={() => setDialog(null)} />
      )}
    </div>
  );
}

/** As they stand in an address. */
const given = (query: Record<string, string | number | undefined>) =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

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

interface NoPeopleProps {
  filters: Filters;
  isFiltered: boolean;
  create: React.ReactNode;
}

function NoPeople({ filters, isFiltered, create }: NoPeopleProps) {
  const { search } = filters;
  if (isFiltered && !search) return <Empty title={text.people.nobody}>{text.people.nobodyHint}</Empty>;
  if (search) return <Empty title={text.person.notFound(search)}>{text.person.notFoundHint}</Empty>;
  return (
    <Empty title={text.person.none} action={create}>
      {text.person.noneHint}
    </Empty>
  );
}
