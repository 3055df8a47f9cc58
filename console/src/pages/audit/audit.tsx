import { Link, getRouteApi } from '@tanstack/react-router';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { Forbidden } from '../../components/forbidden';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { AuditFilters } from './audit-filters';
import { Entry } from './entry';
import './audit.css';

const route = getRouteApi('/o/$org/audit');

/** Who changed what, newest first. */
export function Audit() {
  const { org } = route.useParams();
  const { noun, actor, name, since, until } = route.useSearch();
  const can = useCan();
  const mayRead = can('audit:read', 'organization');
  const filters = { noun, actor, name, since, until };
  const list = useList(
    '/api/o/{org}/audit/',
    { path: { org }, query: { order: 'desc', ...filters } },
    { enabled: mayRead, poll: true, keep: true },
  );
  const given = Object.entries(filters).flatMap(([key, value]) => (value ? [[key, value] as [string, string]] : []));
  const asked = new URLSearchParams([['order', 'desc'], ['limit', '50'], ...given]);
  return (
    <div className="page medium">
      <div className="head">
        <h1>{text.pages.audit}</h1>
        <MoreMenu live={list.error ? 'lost' : 'polled'} call={{ path: `/api/o/${org}/audit/?${asked}` }} />
      </div>
      {mayRead ? (
        <>
          <AuditFilters />
          <Table
            label={text.pages.audit}
            list={list}
            keyOf={({ id }) => id}
            columns={[
              { name: text.audit.change, kind: 'main', cell: (entry) => <Entry org={org} entry={entry} /> },
              { name: text.audit.from, kind: 'narrow', cell: ({ address }) => address ?? '' },
              { name: text.audit.when, kind: 'narrow', cell: ({ at }) => <Time at={at} /> },
            ]}
            empty={
              <Empty
                title={given.length > 0 ? text.audit.notFound : text.audit.none}
                action={
                  given.length > 0 && (
                    <Link to="/o/$org/audit" params={{ org }} search={{}} className="button">
                      {text.occurrences.clear}
                    </Link>
                  )
                }
              >
                {given.length > 0 ? text.audit.notFoundHint : text.audit.noneHint}
              </Empty>
            }
          />
        </>
      ) : (
        <Forbidden what={text.forbidden.audit} permission="audit:read" />
      )}
    </div>
  );
}
