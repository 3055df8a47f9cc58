import type { Scope } from '../../auth/scope.js';
import { Prisma } from '../../platform/database/generated/prisma/client.js';
import { Notice } from '../../platform/database/notice.js';
import { insertJobs } from '../../platform/queue/job.sql.js';
import { jobPrioritySql } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';
import { rulesetOf } from '../../rules/ruleset/rule.sql.js';
import { acknowledgementsOf } from './acknowledge/acknowledge.sql.js';
import { nextStepTimes, stepsOfOccurrence } from './step/occurrence-steps.sql.js';

const CLAIMED = `), claimed as (
    insert into idempotency_keys as k (event_id, key, body_hash, occurrence_id)
    select event_id, key, body_hash, id from input where key is not null
    on conflict (event_id, key) do update
      set body_hash = excluded.body_hash, occurrence_id = excluded.occurrence_id, created_at = excluded.created_at
      where k.created_at < now() - interval '24 hours'
    returning occurrence_id
  )`;

// The size of a job says how much a worker has to load for it: its occurrences, and 4 KB of contexts count as one more.
const EXPAND_JOB = {
  task: Task.Expand,
  organization: 'organization_id',
  priority: jobPrioritySql('priority'),
  payload: `jsonb_build_object('occurrences', jsonb_agg(id))`,
  runAt: 'coalesce(run_at, now())',
  size: 'count(*) + sum(length(context)) / 4096',
};

// One statement, so one transaction and one round trip. It leaves out what has recipients that its event does not take, or lacks those that its
// event needs: a trigger without them must never reach anyone else. It claims the idempotency keys that are new or a day old, inserts the
// occurrences that may be created, and adds one job for all occurrences of an organization with the same start and priority. `hasKeys`:
// whether any of the occurrences has an idempotency key. PostgreSQL plans every CTE of a statement, even unused ones.
// `hasNames`: whether any of the occurrences names users; then it also returns the first names that are not users.
const store = ({ hasKeys = false, hasNames = false, columns = 'id' }) => `
  with input as (
    select i.*, e.ruleset_id
    from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::text[], $9::bytea[], $10::bool[]${hasNames ? ', $11::text[]' : ''})
      i(id, organization_id, event_id, context, options, run_at, priority, key, body_hash, has_recipients${hasNames ? ', names' : ''})
    left join events e on e.id = i.event_id
    where e.id is null or e.takes_recipients = i.has_recipients
  ${hasKeys ? CLAIMED : ')'}, made as (
    insert into occurrences (id, organization_id, event_id, ruleset_id, context, options)
    select i.id, i.organization_id, i.event_id, i.ruleset_id, i.context::jsonb, i.options::jsonb
    from input i
    ${hasKeys ? 'where i.key is null or i.id in (select occurrence_id from claimed)' : ''}
    returning id
  ), new_jobs as (
    ${insertJobs(EXPAND_JOB, 'from (select i.* from made join input i using (id)) i group by organization_id, run_at, priority')}
  )
  select ${columns}${hasNames ? `, ${UNKNOWN_NAMES} "unknown"` : ''} from made`;

/** The most unknown users that an answer names. */
const MAX_UNKNOWN = 20;

const UNKNOWN_NAMES = `array(
    select name.key from input i cross join jsonb_array_elements_text(i.names::jsonb) name(key)
    where i.id = made.id and not exists (select from users u where u.organization_id = i.organization_id and u.email_key = name.key)
    limit ${MAX_UNKNOWN})`;

const NOTIFY = `pg_notify('${Notice.Jobs.name}', '${Notice.Jobs.expand}')`;

export const STORE = { name: 'store-occurrences', text: store({}) };
export const STORE_KEYED = { name: 'store-keyed-occurrences', text: store({ hasKeys: true }) };
/** For an occurrence that comes alone: the worker hears of it a round trip earlier. */
export const STORE_ALONE = { name: 'store-one-occurrence', text: store({ columns: `id, ${NOTIFY}` }) };

/** The same for occurrences that name users. */
export const STORE_NAMED = { name: 'store-named-occurrences', text: store({ hasNames: true }) };
export const STORE_KEYED_NAMED = {
  name: 'store-keyed-named-occurrences',
  text: store({ hasKeys: true, hasNames: true }),
};

/** The names that are not users. $1: organization, $2: keys of names. */
export const FIND_UNKNOWN = `
  select key from unnest($2::text[]) key
  where not exists (select from users u where u.organization_id = $1 and u.email_key = key) limit ${MAX_UNKNOWN}`;

/**
 * Tells workers about new occurrences. A statement of its own if there are many: NOTIFY takes a lock of the whole server until its transaction ends, and with
 * `synchronous_commit` off it does not wait for the disk.
 */
export const ANNOUNCE = `
  select set_config('synchronous_commit', 'off', true), ${NOTIFY}`;

/** $1: verb, $2: organization, $3: occurrence. */
export const AUDIT_OCCURRENCE = `select audit_note_as($1, 'occurrence', $2, $3, 1)`;

/** $1: event. */
export const TAKES_RECIPIENTS = `select takes_recipients "takesRecipients" from events where id = $1`;

/** The most messages of an occurrence that a list counts. */
const MAX_COUNTED = 1000;

/** The users that options name may be many, and are not shown. */
const COLUMNS = Prisma.sql`
  id, status, options - '{limit_to,recipients,told,attachments}'::text[] options, created_at "createdAt", expanded_at "expandedAt", canceled_at "canceledAt", approved_at "approvedAt"`;

export const listOccurrences = (conditions: Prisma.Sql[], limit: number) => Prisma.sql`
    select ${COLUMNS}
    from occurrences
    where ${Prisma.join(conditions, ' and ')}
    order by id desc
    limit ${limit}`;

/** What a list shows of each occurrence besides its columns. */
export interface ShownOfOccurrences {
  counts: boolean;
  /** What became of the steps: the organization whose occurrences they are. Null: not shown. */
  stepsIn: number | null;
}

/**
 * Occurrences of many events, newest first. There is an index of each event and none of the organization: it would add 22 % of WAL and 7 % of
 * CPU to every insertion of an occurrence, and a key of one project would read through those of the others. So the newest of each event are
 * merged. Only the events whose own newest is among the newest `limit` have a part in the answer.
 */
export const mergeOccurrences = (
  events: Prisma.Sql,
  conditions: Prisma.Sql[],
  limit: number,
  shown: ShownOfOccurrences,
) => {
  const newest = (event: string, count: number) => Prisma.sql`
    select id from occurrences
    where ${Prisma.join([Prisma.sql`event_id = ${Prisma.raw(event)}`, ...conditions], ' and ')} order by id desc limit ${count}`;
  return placed(
    Prisma.sql`
    select n.id
    from (
      select e.id, (${newest('e.id', 1)}) newest from (${events}) e order by newest desc nulls last limit ${limit}
    ) busy cross join lateral (${newest('busy.id', limit)}) n
    order by n.id desc limit ${limit}`,
    shown,
  );
};

/** How many messages of an occurrence were sent, and so on. It stops, because a page has many occurrences, and each may have a million messages. */
const COUNTS = Prisma.sql`, (
    select json_build_object('total', count(*), 'sent', count(*) filter (where status = 'sent'), 'dead', count(*) filter (where status = 'dead'),
                             'pending', count(*) filter (where status = 'pending'), 'skipped', count(*) filter (where status = 'skipped'))
    from (select status from deliveries d where d.occurrence_id = o.id limit ${MAX_COUNTED}) d) counts`;

/** Occurrences with these ids, newest first, with the places of their events. */
const placed = (ids: Prisma.Sql, { counts, stepsIn: organizationId }: ShownOfOccurrences) => Prisma.sql`
  ${organizationId === null ? Prisma.empty : Prisma.sql`with ${nextStepTimes(organizationId)}`}
  select ${COLUMNS}, place->>0 project, place->>1 application, place->>2 event ${counts ? COUNTS : Prisma.empty}
         ${organizationId === null ? Prisma.empty : Prisma.sql`, ${stepsOfOccurrence('o')}`}
  from (
    select *, (
      select json_build_array(p.slug, a.slug, e.slug)
      from events e join applications a on a.id = e.application_id join projects p on p.id = a.project_id where e.id = o.event_id) place
    from occurrences o
    where id = any(array(${ids}))
  ) o
  order by id desc`;

/**
 * The ids of the newest occurrences `found` that pass a test for which there is no index. It looks through `most` occurrences, or 20 of each event.
 * `end`: all that are newer have been looked at; null: all.
 */
export const searchOccurrences = (
  events: Prisma.Sql,
  conditions: Prisma.Sql[],
  test: Prisma.Sql,
  most: number,
  limit: number,
) => Prisma.sql`
  with own as materialized (${events}
  ), each as materialized (
    select greatest(${most}::int / greatest(count(*), 1), 20) most from own
  ), seen as materialized (
    select o.id, o.number, o.passes from own cross join lateral (
      select id, row_number() over (order by id desc) number, ${test} passes from occurrences found
      where ${Prisma.join([Prisma.sql`event_id = own.id`, ...conditions], ' and ')}
      order by id desc limit (select most from each)) o
  ), ends as (
    select (select seen.id from seen, each where seen.number = each.most order by seen.id desc limit 1) id
  )
  select (select id from ends) "end", array(
    select seen.id from seen where passes and seen.id >= coalesce((select id from ends), '00000000-0000-0000-0000-000000000000')
    order by seen.id desc limit ${limit}) ids`;

export const findOccurrences = (ids: string[], shown: ShownOfOccurrences) =>
  placed(Prisma.sql`select unnest(${ids}::uuid[])`, shown);

/** The events that a key sees, or the one at a path: project, application, event. */
export const visibleEvents = ({ organizationId, key }: Scope, path: string[] | null) => Prisma.sql`
  select e.id from projects p join applications a on a.project_id = p.id join events e on e.application_id = a.id
  where p.organization_id = ${organizationId}
    and (${key.projectId}::int is null or p.id = ${key.projectId}) and (${key.applicationId}::int is null or a.id = ${key.applicationId})
    ${path ? Prisma.sql`and p.slug = ${path[0]} and a.slug = ${path[1]} and e.slug = ${path[2]}` : Prisma.empty}`;

export const getOccurrence = (organizationId: number, occurrenceId: string) => Prisma.sql`
    with ${nextStepTimes(organizationId)}
    select o.id, o.status, o.options - 'told' options, o.created_at "createdAt", o.expanded_at "expandedAt", o.canceled_at "canceledAt",
           o.approved_at "approvedAt", e.slug event, a.slug application, p.slug project, o.context, o.problem, o.decisions,
           ${Prisma.raw(acknowledgementsOf('o.id'))} acknowledgements, e.resolves_event "resolvesEvent", o.event_id "eventId",
           (select coalesce(json_agg(json_build_object('event', x.slug, 'field', t.field) order by t.position), '[]')
            from thread_resolutions t left join events x on x.id = t.event_id where t.occurrence_id = o.id) ended,
           case when o.open_steps is not null then (select n.at from next_steps n where n.occurrence = o.id) end "nextStepAt",
           ${stepsOfOccurrence('o')},
           array(select jsonb_build_object('id', rule->'id', 'acknowledge', rule->'acknowledge', 'steps', rule->'steps', 'templates', (
                   select jsonb_agg(jsonb_build_object('channel', t->'channel', 'per', t->'per')) from jsonb_array_elements(rule->'templates') t))
                   || case when jsonb_exists(rule, 'thread') then jsonb_build_object('thread', rule->'thread') else '{}' end
                 from (values (1)) one join ${Prisma.raw(rulesetOf('o.ruleset_id'))}, jsonb_array_elements(r.rules) rule
                 where jsonb_exists(rule, 'steps')) followed,
           array(
             select name.value
             from jsonb_array_elements_text(coalesce(o.options->'recipients', '[]') || coalesce(o.options->'limit_to', '[]'))
               with ordinality name(value, place)
             where name.value <> '[erased]'
               and not exists (select from users u where u.organization_id = o.organization_id and u.email_key = lower(name.value))
             order by name.place limit ${MAX_UNKNOWN}) "unknownUsers",
           coalesce((
             select json_agg(json_build_object('notification', g.notification_id, 'channel', g.channel_id,
                                               'slug', (select c.slug from channels c where c.id = g.channel_id),
                                               'status', g.status, 'gate', g.gate, 'count', g.count, 'repetition', g.repetition)
                             order by g.notification_id, g.channel_id)
             from (
               select notification_id, channel_id, status, gate, count(*), max(repetition) repetition from deliveries
               where occurrence_id = o.id
               group by notification_id, channel_id, status, gate
             ) g), '[]') groups
    from occurrences o
    join events e on e.id = o.event_id
    join applications a on a.id = e.application_id
    join projects p on p.id = a.project_id
    where o.id = ${occurrenceId}::uuid and o.organization_id = ${organizationId}`;
