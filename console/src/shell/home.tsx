import { Link, Navigate, getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useList } from '../api/read';
import { useCan, useSession } from '../api/session';
import { lazily } from '../components/lazily';
import { Problem } from '../components/problem';
import { Rows } from '../components/skeleton';
import { text } from '../text/text';

const route = getRouteApi('/');
const NewOrganization = lazily(() => import('./new-organization'), 'NewOrganization');

/** Leads to the session's organization; an operator, who has many, chooses one or creates one. */
export function Home() {
  const own = useSession()?.organization;
  const { choose } = route.useSearch();
  const mayCreate = useCan()('organization:write', 'service');
  const [isCreating, setCreating] = useState(false);
  const { items, error, refetch, hasNextPage, fetchNextPage } = useList('/api/o/', {}, { enabled: !own });
  if (own) return <Navigate to="/o/$org" params={{ org: own }} replace />;
  const only = choose === undefined && items?.length === 1 && !hasNextPage ? items[0] : undefined;
  if (only) return <Navigate to="/o/$org" params={{ org: only.slug }} replace />;
  return (
    <main className="sign-in">
      <h1>{items?.length === 0 ? text.home.first : text.home.title}</h1>
      {error ? <Problem error={error} again={() => void refetch()} /> : !items && <Rows />}
      {items?.length === 0 && <p className="soft">{mayCreate ? text.home.emptyHint : text.home.empty}</p>}
      <ul className="stack">
        {items?.map(({ slug, name }) => (
          <li key={slug} className="card">
            <Link to="/o/$org" params={{ org: slug }}>
              <strong>{name}</strong>
            </Link>{' '}
            <span className="soft mono">{slug}</span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button className="button" onClick={() => void fetchNextPage()}>
          {text.table.more}
        </button>
      )}
      {mayCreate && items && (
        <button className="button primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          {text.home.create}
        </button>
      )}
      <Suspense>{isCreating && <NewOrganization onClose={() => setCreating(false)} />}</Suspense>
    </main>
  );
}
