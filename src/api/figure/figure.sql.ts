import type { Scope } from '../../auth/scope.js';
import { Prisma } from '../../platform/database/generated/prisma/client.js';

export const FIGURE_KEYS = ['hour', 'day', 'event', 'channel', 'project', 'domain', 'outcome', 'reason'] as const;
export type FigureKey = (typeof FIGURE_KEYS)[number];

export interface FigureQuery {
  by: FigureKey;
  since: Date;
  until: Date;
  timeZone: string;
  /** Where the first whole day and month begins, and where the last one ends. Null: read the hours alone. */
  firstDay: Date | null;
  lastDay: Date | null;
  firstMonth: Date | null;
  lastMonth: Date | null;
  outcome: string | null;
  project: string | null;
  /** As project/application and project/application/event. */
  application: string | null;
  event: string | null;
  channel: string | null;
}

/** Messages of one key with one outcome. Without `isRow`, of all keys together. */
export interface FigureRow {
  isRow: boolean;
  /** Null: what it names was deleted. */
  name: string | null;
  outcome: string;
  reason: string;
  count: number;
}

export const isTime = (by: FigureKey) => by === 'hour' || by === 'day';

const MAX_ROWS = 100;
const MAX_DOMAINS = 50;

/** The first whole day or month of a span: shifted to just before the next one, a time falls into the one that it begins or that comes after it. */
const first = (unit: 'day' | 'month') =>
  `(date_trunc('${unit}', since at time zone zone + interval '1 ${unit}' - interval '1 millisecond') at time zone zone)`;
const last = (unit: 'day' | 'month') => `date_trunc('${unit}', until, zone)`;

/**
 * The time zone of an organization, a span of time that is widened to its hours, and the whole days and months in it, unless they were counted in another
 * time zone. $1: organization, $2: since, $3: until.
 */
export const SPAN = `
  select zone "timeZone", since, until,
         case when has_days then ${first('day')} end "firstDay", case when has_days then ${last('day')} end "lastDay",
         case when has_days then ${first('month')} end "firstMonth", case when has_days then ${last('month')} end "lastMonth"
  from (
    select zone, date_trunc('hour', $2::timestamptz, zone) since, date_trunc('hour', $3::timestamptz + interval '59 minutes 59.999 seconds', zone) until,
           exists (select from figure_zones z where z.organization_id = $1 and z.time_zone = zone) has_days
    from (select coalesce(time_zone, 'UTC') zone from organizations where id = $1) o
  ) span`;

const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`;

/** The key of a row `f`, and the name of a key `k`. */
const KEYS: Record<FigureKey, { key: string; name: string }> = {
  hour: { key: 'f.slot', name: iso('k.key') },
  day: { key: 'f.slot', name: iso('k.key') },
  event: {
    key: 'f.event_id',
    name: `(select concat_ws('/', p.slug, a.slug, e.slug) from events e join applications a on a.id = e.application_id join projects p on p.id = a.project_id where e.id = k.key)`,
  },
  channel: {
    key: 'f.channel_id',
    name: `(select concat_ws('/', (select p.slug from projects p where p.id = c.project_id), c.slug) from channels c where c.id = k.key)`,
  },
  project: { key: 'f.project_id', name: '(select p.slug from projects p where p.id = k.key)' },
  domain: { key: 'f.domain', name: 'k.key' },
  outcome: { key: 'f.outcome', name: 'k.key' },
  reason: { key: `concat_ws('/', f.outcome, nullif(f.reason, ''))`, name: 'k.key' },
};

const ids = (select: Prisma.Sql) => Prisma.sql`any(array(${select}))`;

/** Only what the key may see, and what the filters leave. */
function conditions({ organizationId, key }: Scope, query: FigureQuery): Prisma.Sql[] {
  const { project, application, event, channel, outcome } = query;
  const inPath = (path: string) => {
    const [p, a, e] = path.split('/');
    return Prisma.sql`p.organization_id = ${organizationId} and p.slug = ${p} ${a === undefined ? Prisma.empty : Prisma.sql`and a.slug = ${a}`} ${e === undefined ? Prisma.empty : Prisma.sql`and e.slug = ${e}`}`;
  };
  return [
    Prisma.sql`f.organization_id = ${organizationId}`,
    ...(key.projectId === null ? [] : [Prisma.sql`f.project_id = ${key.projectId}`]),
    ...(key.applicationId === null ? [] : [Prisma.sql`f.application_id = ${key.applicationId}`]),
    ...(project === null
      ? []
      : [Prisma.sql`f.project_id = ${ids(Prisma.sql`select p.id from projects p where ${inPath(project)}`)}`]),
    ...(application === null
      ? []
      : [
          Prisma.sql`f.application_id = ${ids(Prisma.sql`select a.id from projects p join applications a on a.project_id = p.id where ${inPath(application)}`)}`,
        ]),
    ...(event === null
      ? []
      : [
          Prisma.sql`f.event_id = ${ids(Prisma.sql`select e.id from projects p join applications a on a.project_id = p.id join events e on e.application_id = a.id where ${inPath(event)}`)}`,
        ]),
    ...(channel === null
      ? []
      : [
          Prisma.sql`f.channel_id = ${ids(Prisma.sql`select id from channels where organization_id = ${organizationId} and slug = ${channel}`)}`,
        ]),
    ...(outcome === null
      ? []
      : [
          Prisma.sql`(f.outcome = ${outcome} ${outcome === 'sent' ? Prisma.sql`or f.outcome = 'within'` : Prisma.empty})`,
        ]),
  ];
}

/**
 * The figures of the span: of whole months by month and of whole days by day, which are many times fewer rows, and of the rest by hour. The beginning of a day
 * is its slot as it is.
 */
function source(query: FigureQuery): Prisma.Sql {
  const parts = partsOf(query).map((part) => rowsOf(query, part));
  return Prisma.sql`(${Prisma.join(parts, ' union all ')})`;
}

interface Part {
  unit: 'hour' | 'day' | 'month';
  from: Date;
  to: Date;
}

function partsOf({ by, since, until, firstDay, lastDay, firstMonth, lastMonth }: FigureQuery): Part[] {
  const whole = (unit: Part['unit'], from: Date | null, to: Date | null): Part[] =>
    from !== null && to !== null && from < to ? [{ unit, from, to }] : [];
  const spans = [
    ...whole('hour', since, until),
    ...(by === 'hour' ? [] : whole('day', firstDay, lastDay)),
    ...(isTime(by) ? [] : whole('month', firstMonth, lastMonth)),
  ];
  return spans.flatMap(({ unit, from, to }, i) => {
    const inner = spans[i + 1];
    return inner === undefined
      ? [{ unit, from, to }]
      : [...whole(unit, from, inner.from), ...whole(unit, inner.to, to)];
  });
}

const TABLES = { hour: 'figures', day: 'daily_figures', month: 'monthly_figures' };
const DOMAIN_TABLES = { hour: 'domain_figures', day: 'daily_domain_figures', month: 'monthly_domain_figures' };

function rowsOf({ by, timeZone }: FigureQuery, { unit, from, to }: Part): Prisma.Sql {
  const isByDomain = by === 'domain';
  const table = Prisma.raw((isByDomain ? DOMAIN_TABLES : TABLES)[unit]);
  const columns = Prisma.raw(
    `organization_id, project_id, application_id, ${isByDomain ? 'domain' : 'event_id'}, channel_id, outcome, reason, count`,
  );
  const time = Prisma.raw(unit);
  const slot = unit === 'hour' && isTime(by) ? Prisma.sql`date_trunc(${by}, hour, ${timeZone})` : time;
  return Prisma.sql`select ${columns}, ${slot} slot from ${table} where ${time} >= ${from} and ${time} < ${to}`;
}

/** Every hour or day of the span, also those in which nothing happened. */
const slots = ({ by, since, until, timeZone }: FigureQuery) =>
  by === 'hour'
    ? Prisma.sql`select generate_series(${since}::timestamptz, ${until}::timestamptz - interval '1 hour', interval '1 hour') key`
    : Prisma.sql`
    select start at time zone ${timeZone} key
    from generate_series(date_trunc('day', ${since}::timestamptz at time zone ${timeZone}),
                         (${until}::timestamptz - interval '1 hour') at time zone ${timeZone}, interval '1 day') start`;

const largest = (by: FigureKey) => Prisma.sql`
    select key from counts where outcome <> 'within' ${by === 'domain' ? Prisma.sql`and key <> '*'` : Prisma.empty}
    group by key order by sum(count) desc, key limit ${by === 'domain' ? MAX_DOMAINS : MAX_ROWS}`;

/** The messages of each key, and of all together. Times of sending (`within`) are part of both. */
export const readFigures = (scope: Scope, query: FigureQuery) => {
  const { by } = query;
  const { key, name } = KEYS[by];
  return Prisma.sql`
  with counts as materialized (
    select ${Prisma.raw(key)} key, f.outcome, f.reason, sum(f.count)::float8 count
    from ${source(query)} f
    where ${Prisma.join(conditions(scope, query), ' and ')}
    group by 1, 2, 3
  ), shown as (${isTime(by) ? slots(query) : largest(by)}
  )
  select false "isRow", null name, outcome, reason, sum(count) count from counts group by outcome, reason
  union all
  select true, ${Prisma.raw(name)}, coalesce(outcome, ''), coalesce(reason, ''), coalesce(count, 0) from shown k left join counts using (key)`;
};
