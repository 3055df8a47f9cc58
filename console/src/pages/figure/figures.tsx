import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRead } from '../../api/read';
import { EventPick } from '../../form/event-pick';
import { CopyCurl } from '../../components/curl';
import { Empty } from '../../components/empty';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { ToEvents } from '../../components/to-events';
import { text } from '../../text/text';
import { Bars } from './bars';
import { Breakdown } from './breakdown';
import { DownloadCsv } from './csv';
import { PERIODS, spanOf } from './period';
import type { Span } from './period';
import { Totals } from './totals';
import './figure.css';

const route = getRouteApi('/o/$org/figures');
const LONGEST = '365d';

/** How many messages were sent, and how did it go? */
export function Figures() {
  const { org } = route.useParams();
  const filters = route.useSearch();
  const { time, event } = filters;
  // The end moves with the clock: it is worked out once for each change of the filters.
  const span = useMemo(() => spanOf(time, Date.now()), [time]);
  const read = useFigures(org, span, event || undefined);
  const { data, error } = read.times;
  const path = `/api/o/${org}/figures/?${new URLSearchParams({ ...span.query, by: span.by, ...(event ? { event } : {}) })}`;
  return (
    <div className="page figures">
      <div className="head">
        <h1>{text.pages.figures}</h1>
        <CopyCurl call={{ path }} />
        {data && <DownloadCsv org={org} figures={read.all.flatMap((figures) => (figures ? [figures] : []))} />}
      </div>
      <Filters org={org} filters={filters} />
      {error && <Problem error={error} again={() => void read.times.refetch()} />}
      {!data && !error && <Rows count={8} />}
      {data && <Totals now={data.total} before={read.before.data?.total} />}
      {data && data.total.messages === 0 && (
        <Empty title={text.figures.none} action={<Next org={org} filters={filters} />}>
          {text.figures.noneHint}
        </Empty>
      )}
      {data && data.total.messages > 0 && (
        <>
          <Bars org={org} figures={data} event={event} />
          <div className="breakdowns">
            <Breakdown org={org} title={text.figures.byEvent} figures={read.events.data} event={event || undefined} />
            <Breakdown
              org={org}
              title={text.figures.byChannel}
              figures={read.channels.data}
              event={event || undefined}
            />
            {!event && (
              <Breakdown
                org={org}
                title={text.figures.byDomain}
                figures={read.domains.data}
                event={event || undefined}
              />
            )}
            <Breakdown org={org} title={text.figures.byReason} figures={read.reasons.data} event={event || undefined} />
          </div>
        </>
      )}
    </div>
  );
}

/** Another period may have messages; otherwise there are none yet. */
function Next({ org, filters }: { org: string; filters: { time?: string; event?: string } }) {
  if (filters.time === LONGEST && !filters.event) return <ToEvents org={org} />;
  return (
    <Link to="/o/$org/figures" params={{ org }} search={{ time: LONGEST }} className="button">
      {text.figures.longest}
    </Link>
  );
}

/** The same messages, counted in different ways, and those of the period before. */
function useFigures(org: string, span: Span, event: string | undefined) {
  const path = { org };
  const query = { ...span.query, event };
  const times = useRead('/api/o/{org}/figures/', { path, query: { ...query, by: span.by } });
  const before = useRead('/api/o/{org}/figures/', { path, query: { ...span.before, event, by: 'outcome' } });
  const events = useRead('/api/o/{org}/figures/', { path, query: { ...query, by: 'event' } });
  const channels = useRead('/api/o/{org}/figures/', { path, query: { ...query, by: 'channel' } });
  const reasons = useRead('/api/o/{org}/figures/', { path, query: { ...query, by: 'reason' } });
  // Domains are not counted by event.
  const byDomain = { path, query: { ...span.query, by: 'domain' as const } };
  const domains = useRead('/api/o/{org}/figures/', byDomain, { enabled: !event });
  const all = [times, events, channels, ...(event ? [] : [domains]), reasons].map(({ data }) => data);
  return { times, before, events, channels, domains, reasons, all };
}

/** The filters live in the address, so that a link shows the same figures. */
function Filters({ org, filters }: { org: string; filters: Record<string, string | undefined> }) {
  const navigate = useNavigate();
  const set = (changed: Record<string, string | undefined>) =>
    void navigate({ to: '/o/$org/figures', params: { org }, search: { ...filters, ...changed }, replace: true });
  return (
    <div className="filters" role="search">
      <select
        className="input"
        aria-label={text.figures.period}
        value={filters.time ?? '7d'}
        onChange={({ target }) => set({ time: target.value })}
      >
        {Object.keys(PERIODS).map((period) => (
          <option key={period} value={period}>
            {text.figures.periods[period]}
          </option>
        ))}
      </select>
      <EventPick org={org} chosen={filters.event || undefined} onChoose={(event) => set({ event })} />
    </div>
  );
}
