import type { Suppression } from '@carillon/client';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { Forbidden } from '../../components/forbidden';
import { SearchBox } from '../../form/search-box';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { useSearchOn } from '../../components/use-search-on';
import { text } from '../../text/text';
import { Evidence } from './evidence';
import { Lift } from './lift';
import { SuppressionDialog } from './suppression-dialog';

const route = getRouteApi('/o/$org/suppressions');
const CAUSES = ['hard_bounce', 'complaint', 'stop', 'manual'] as const;

/** Addresses that get no messages, and why. An address is a user: without `user:read` there is nothing to see. */
export function Suppressions() {
  const { org } = route.useParams();
  const { address, cause, search } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const [isAdding, setAdding] = useState(false);
  const mayRead = can('suppression:read', 'project') && can('user:read');
  const mayWrite = can('suppression:write', 'project');
  const query = { address, search, cause: CAUSES.find((each) => each === cause) };
  const list = useList(
    '/api/o/{org}/suppressions/',
    { path: { org }, query },
    { enabled: mayRead, poll: true, keep: true },
  );
  useSearchOn(list);
  const add = mayWrite && (
    <button className="button primary" onClick={() => setAdding(true)}>
      {text.suppression.add}
    </button>
  );
  const upload = mayWrite && (
    <Link className="button" to="/o/$org/suppressions/import" params={{ org }}>
      {text.suppression.import.open}
    </Link>
  );
  const asked = new URLSearchParams({
    limit: '50',
    ...(address && { address }),
    ...(search && { search }),
    ...(query.cause && { cause }),
  });
  return (
    <div className="page medium">
      <div className="head">
        <h1>{text.pages.suppressions}</h1>
        <MoreMenu live={list.error ? 'lost' : 'polled'} call={{ path: `/api/o/${org}/suppressions/?${asked}` }} />
        {upload}
        {add}
      </div>
      <p className="soft">{text.suppression.intro}</p>
      {mayRead ? (
        <>
          <div className="filters">
            <SearchBox
              label={text.suppression.search}
              className="input wide"
              maxLength={100}
              value={search ?? address}
              onSearch={(words) => void navigate({ search: { cause, search: words }, replace: true })}
            />
            <select
              className="input"
              aria-label={text.suppression.cause}
              value={query.cause ?? ''}
              onChange={({ target }) =>
                void navigate({ search: { address, search, cause: target.value || undefined }, replace: true })
              }
            >
              <option value="">{text.suppression.everyCause}</option>
              {CAUSES.map((each) => (
                <option key={each} value={each}>
                  {text.suppression.causes[each]}
                </option>
              ))}
            </select>
          </div>
          <Table
            label={text.pages.suppressions}
            list={list}
            keyOf={({ id }) => id}
            columns={columnsOf(org, mayWrite)}
            empty={<NoSuppressions isFiltered={Boolean(address || search || query.cause)} add={add} />}
          />
        </>
      ) : (
        <Forbidden what={text.forbidden.suppressions} permission="user:read, suppression:read" />
      )}
      {isAdding && <SuppressionDialog org={org} onClose={() => setAdding(false)} />}
    </div>
  );
}

const columnsOf = (org: string, mayWrite: boolean) => [
  {
    name: text.suppression.address,
    kind: 'main' as const,
    cell: ({ name, value }: Suppression) => (
      <>
        <Link to="/o/$org/people" params={{ org }} search={{ search: value }} title={text.suppression.whose}>
          {value}
        </Link>{' '}
        <span className="soft">{name}</span>
      </>
    ),
  },
  {
    name: text.suppression.cause,
    kind: 'narrow' as const,
    cell: ({ cause }: Suppression) => (
      <Badge tone={cause === 'manual' ? 'idle' : 'bad'}>{text.suppression.causes[cause]}</Badge>
    ),
  },
  {
    name: text.suppression.project,
    kind: 'narrow' as const,
    cell: ({ project }: Suppression) => project ?? text.suppression.allProjects,
  },
  {
    name: text.suppression.evidence,
    cell: ({ evidence }: Suppression) => <Evidence org={org} evidence={evidence} />,
  },
  {
    name: text.suppression.since,
    kind: 'narrow' as const,
    cell: ({ created_at }: Suppression) => <Time at={created_at} />,
  },
  {
    name: text.suppression.ends,
    kind: 'narrow' as const,
    cell: ({ expires_at }: Suppression) => (expires_at ? <Time at={expires_at} /> : text.suppression.never),
  },
  ...(mayWrite
    ? [
        {
          name: '',
          kind: 'narrow' as const,
          cell: (suppression: Suppression) => <Lift org={org} suppression={suppression} />,
        },
      ]
    : []),
];

function NoSuppressions({ isFiltered, add }: { isFiltered: boolean; add: React.ReactNode }) {
  if (isFiltered) return <Empty title={text.suppression.notFound}>{text.suppression.notFoundHint}</Empty>;
  return (
    <Empty title={text.suppression.none} action={add}>
      {text.suppression.noneHint}
    </Empty>
  );
}
