import type { PlacedOccurrence } from '@carillon/client';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useList } from '../../api/read';
import { Badge, Status } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { ToEvents } from '../../components/to-events';
import { EventLink } from '../../components/links';
import { RowCounts } from '../../components/row-counts';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { OccurrenceFilters } from './occurrence-filters';
import { DELIVERY_STATUSES, queryOf } from './occurrence-query';
import { StepsLine } from './step/steps-line';
import './occurrence.css';

const route = getRouteApi('/o/$org/occurrences');

/** The triggers of all events, newest first. */
export function Occurrences() {
  const { org } = route.useParams();
  const filters = route.useSearch();
  const asked = JSON.stringify(filters);
  // `since` of "the last hour" moves with the clock: it is worked out once for each change of the filters.
  const query = useMemo(() => queryOf(JSON.parse(asked), Date.now()), [asked]);
  const counted = { ...query, counts: '1' as const, steps: '1' as const };
  const list = useList('/api/o/{org}/occurrences/', { path: { org }, query: counted }, { poll: true });
  const path = `/api/o/${org}/occurrences/?${new URLSearchParams({ ...query, limit: '50' })}`;
  return (
    <div className="page medium">
      <div className="head">
        <h1>{text.pages.occurrences}</h1>
        <MoreMenu live={list.error ? 'lost' : 'polled'} call={{ path }} />
      </div>
      <OccurrenceFilters org={org} filters={filters} />
      <Table
        label={text.occurrences.label}
        list={list}
        columns={columnsOf(org, DELIVERY_STATUSES[filters.outcome ?? ''])}
        keyOf={({ id }) => id}
        empty={<Nothing org={org} query={query} />}
      />
    </div>
  );
}

type Counts = NonNullable<PlacedOccurrence['counts']>;

/** Only the first 1,000 messages of an occurrence are counted. */
const isCut = ({ total }: Counts) => total >= 1000;

/** `status`: of the deliveries that an occurrence shows at first. */
const columnsOf = (org: string, status: string | undefined) => [
  {
    name: text.occurrences.triggered,
    kind: 'narrow' as const,
    cell: ({ id, created_at }: PlacedOccurrence) => (
      <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence: id }} search={{ status }}>
        <Time at={created_at} />
      </Link>
    ),
  },
  {
    name: text.occurrences.event,
    cell: (occurrence: PlacedOccurrence) => (
      <div>
        <span className="row">
          <EventLink org={org} place={occurrence} />
          {occurrence.priority && <Badge>{occurrence.priority}</Badge>}
          {occurrence.send_at && (
            <span className="soft">
              {text.occurrences.when} <Time at={occurrence.send_at} />
            </span>
          )}
          {occurrence.send_at_local && (
            <span className="soft">
              {text.occurrences.when} {text.occurrences.local(occurrence.send_at_local)}
            </span>
          )}
        </span>
        <StepsLine org={org} occurrence={occurrence} />
      </div>
    ),
  },
  {
    name: text.occurrences.status,
    kind: 'narrow' as const,
    cell: ({ status }: PlacedOccurrence) => <Status status={status} />,
  },
  {
    name: text.occurrences.messages,
    cell: ({ counts }: PlacedOccurrence) => (
      <>
        <RowCounts counts={counts && { sent: counts.sent, failed: counts.dead, waiting: counts.pending }} />
        {counts && isCut(counts) && <span className="soft"> {text.occurrences.cut}</span>}
      </>
    ),
  },
];

function Nothing({ org, query }: { org: string; query: ReturnType<typeof queryOf> }) {
  const { outcome, reason, channel, domain, open } = query;
  if (Object.keys(query).length === 0)
    return (
      <Empty title={text.occurrences.empty} action={<ToEvents org={org} />}>
        {text.occurrences.emptyHint}
      </Empty>
    );
  const clear = (
    <Link to="/o/$org/occurrences" params={{ org }} search={{}} className="button">
      {text.occurrences.clear}
    </Link>
  );
  return (
    <Empty title={open ? text.occurrences.noneOpen : text.occurrences.none} action={clear}>
      {outcome || reason || channel || domain ? text.occurrences.noneWithMessages : text.occurrences.noneHint}
    </Empty>
  );
}
