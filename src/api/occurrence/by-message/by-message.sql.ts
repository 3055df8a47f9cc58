import type { Scope } from '../../../auth/scope.js';
import { Prisma } from '../../../platform/database/generated/prisma/client.js';

/** Figures that one statement looks through; it ends with a whole hour. */
const MAX_FIGURES = 100_000;
/** Messages of one occurrence, and of all, that one statement looks through. */
const MAX_OF_OCCURRENCE = 10_000;
const MAX_MESSAGES = 200_000;

/** What the messages that are searched for have in common; null: anything. */
interface MessageSearch {
  outcome: string | null;
  reason: string | null;
  /** The slug, or project/channel. */
  channel: string | null;
  domain: string | null;
}

interface SearchedSpan {
  since: Date | null;
  /** Only occurrences before this time, and the cursor. */
  until: Date | null;
}

/** What the figures call the end of a delivery. */
const STATUSES: Record<string, string> = { sent: 'sent', failed: 'dead', waiting: 'pending', skipped: 'skipped' };

const FIGURE_OF_DELIVERY = Prisma.sql`figure_outcome(d.status, d.gate, d.reason, d.report)`;
/** As the triggers that note domains read them. */
const DOMAIN_OF_DELIVERY = Prisma.sql`(select lower(substring(m.recipient from '@([^@>[:space:]]{1,253})>?$')) from messages m where m.delivery_id = d.id)`;

const and = (conditions: Prisma.Sql[]) => Prisma.join([Prisma.sql`true`, ...conditions], ' and ');

const ifGiven = <Value>(value: Value | null, condition: (value: Value) => Prisma.Sql) =>
  value === null ? [] : [condition(value)];

/** A channel by its slug, or by project/channel. */
function overChannel(organizationId: number, path: string): Prisma.Sql {
  const [slug, project] = path.split('/').reverse();
  const ofProject =
    project === undefined
      ? Prisma.empty
      : Prisma.sql`and project_id = (select id from projects where organization_id = ${organizationId} and slug = ${project})`;
  return Prisma.sql`any(array(select id from channels where organization_id = ${organizationId} and slug = ${slug} ${ofProject}))`;
}

/** Whether a row of figures `f` counts such messages. */
const isCounted = (organizationId: number, { outcome, reason, channel, domain }: MessageSearch) =>
  and([
    Prisma.sql`f.count > 0 and f.outcome <> 'within'`,
    ...ifGiven(outcome, (value) => Prisma.sql`f.outcome = ${value}`),
    ...ifGiven(reason, (value) => Prisma.sql`f.reason = ${value}`),
    ...ifGiven(channel, (value) => Prisma.sql`f.channel_id = ${overChannel(organizationId, value)}`),
    // An hour has rows of its own for its largest domains only.
    ...ifGiven(domain, (value) => Prisma.sql`f.domain in (${value}, '*')`),
  ]);

/** Whether a delivery `d` is one of them. */
const isMeant = ({ outcome, reason, domain }: MessageSearch) =>
  and([
    ...ifGiven(outcome, (value) => Prisma.sql`d.status = ${STATUSES[value]}::delivery_status`),
    ...ifGiven(reason, (value) => Prisma.sql`split_part(${FIGURE_OF_DELIVERY}, '/', 2) = ${value}`),
    ...ifGiven(
      domain,
      (value) =>
        Prisma.sql`d.address_id is not null and d.status in ('sent', 'dead') and ${DOMAIN_OF_DELIVERY} = ${value}`,
    ),
  ]);

/** Conditions that indexes of deliveries have: all that were given up have a reason. */
const indexed = (organizationId: number, { outcome, channel }: MessageSearch) =>
  and([
    Prisma.sql`d.organization_id = ${organizationId}`,
    ...(outcome === 'failed' ? [Prisma.sql`d.reason is not null`] : []),
    ...ifGiven(channel, (value) => Prisma.sql`d.channel_id = ${overChannel(organizationId, value)}`),
  ]);

/** Sorts before every id of a time. */
const boundOf = (time: string) =>
  Prisma.raw(`(lpad(to_hex(floor(extract(epoch from ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`);

/**
 * The ids of the newest occurrences with certain messages. The figures are the index of them: they say in which hours an event has some. Of
 * these hours, the messages of each occurrence are looked through. `end`: all newer ones have been looked at; null: all.
 */
export const searchByMessage = (
  { organizationId }: Scope,
  events: Prisma.Sql,
  search: MessageSearch,
  { since, until }: SearchedSpan,
  conditions: Prisma.Sql[],
  tests: Prisma.Sql[],
  limit: number,
) => {
  const [figures, place] =
    search.domain === null
      ? [Prisma.sql`figures`, Prisma.sql`event_id`]
      : [Prisma.sql`domain_figures`, Prisma.sql`application_id`];
  const [hours, candidates] = [2 * limit, 4 * limit];
  return Prisma.sql`
  with own as materialized (
    select e.id event_id, e.application_id, (select o.id from occurrences o where o.event_id = e.id order by o.id limit 1) oldest
    from events e where e.id = any(array(${events}))
  ), counted as materialized (
    select f.hour, f.${place}, ${isCounted(organizationId, search)} passes
    from ${figures} f
    where f.organization_id = ${organizationId}
      and f.hour > (select to_timestamp(figure_time(oldest)) - interval '1 hour' from own where oldest is not null order by oldest limit 1)
      ${since ? Prisma.sql`and f.hour > ${since}::timestamptz - interval '1 hour'` : Prisma.empty} ${until ? Prisma.sql`and f.hour < ${until}` : Prisma.empty}
    order by f.organization_id desc, f.hour desc fetch first ${MAX_FIGURES} rows with ties
  ), spots as materialized (
    select c.hour, own.event_id from counted c join own using (${place}) where c.passes
    group by 1, 2 order by 1 desc fetch first ${hours} rows with ties
  ), seen as materialized (
    select o.id from spots s cross join lateral (
      select id from occurrences
      where ${and([Prisma.sql`event_id = s.event_id and id >= ${boundOf('s.hour')} and id < ${boundOf(`s.hour + interval '1 hour'`)}`, ...conditions])}
      order by id desc limit ${candidates}) o
    group by 1 order by 1 desc limit ${candidates}
  ), looked as materialized (
    select o.id, d.passes
    from (select id from occurrences found where ${and([Prisma.sql`id = any(array(select id from seen))`, ...tests])} order by id desc) o cross join lateral (
      select ${isMeant(search)} passes from deliveries d where d.occurrence_id = o.id and ${indexed(organizationId, search)} limit ${MAX_OF_OCCURRENCE}) d
    limit ${MAX_MESSAGES}
  ), whole as materialized (
    select id, bool_or(passes) or count(*) >= ${MAX_OF_OCCURRENCE} passes from looked group by id
  ), ends as (
    select greatest(
      (select id from seen order by id desc offset ${candidates - 1} limit 1),
      (select id from whole where (select count(*) from looked) >= ${MAX_MESSAGES} order by id offset 1 limit 1),
      (select ${boundOf('min(hour)')} from spots having count(*) >= ${hours}),
      (select ${boundOf('min(hour)')} from counted having count(*) >= ${MAX_FIGURES})) id
  )
  select (select id from ends) "end", array(
    select id from whole where passes and id >= coalesce((select id from ends), '00000000-0000-0000-0000-000000000000')
    order by id desc limit ${limit}) ids`;
};
