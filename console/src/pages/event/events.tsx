import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../api/session';
import { CopyCurl } from '../../components/curl';
import { Empty } from '../../components/empty';
import { Problem } from '../../components/problem';
import { SearchBox } from '../../form/search-box';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { CreatePlace } from './tree/create-place';
import type { Wanted } from './tree/create-place';
import { EventTable } from './tree/event-table';
import { useTree } from './tree/use-tree';
import './event.css';

const route = getRouteApi('/o/$org/events');

/** All events of the organization, by project and application. */
export function Events() {
  const { org } = route.useParams();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const tree = useTree(org);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const isEmpty = !tree.isReading && tree.projects.length === 0;
  const create = can('organization:write') && (
    <button className={isEmpty ? 'button primary' : 'button'} onClick={() => setWanted({})}>
      {text.event.newProject}
    </button>
  );
  return (
    <div className="page medium">
      <div className="head">
        <h1>{text.pages.events}</h1>
        <CopyCurl call={{ path: `/api/o/${org}/p/` }} />
        {!isEmpty && create}
      </div>
      {tree.error && <Problem error={tree.error} again={tree.again} />}
      {isEmpty && !tree.error ? (
        <Empty title={text.event.none} action={create}>
          {text.event.noneHint}
        </Empty>
      ) : (
        <>
          <SearchBox
            label={text.event.search}
            value={q}
            onSearch={(words) => void navigate({ search: { q: words }, replace: true })}
          />
          {tree.isReading && tree.applications.length === 0 ? (
            <Rows />
          ) : (
            <EventTable org={org} tree={tree} words={q ?? ''} create={setWanted} />
          )}
        </>
      )}
      {wanted && <CreatePlace org={org} wanted={wanted} onClose={() => setWanted(null)} />}
    </div>
  );
}
