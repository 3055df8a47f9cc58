import { suppresses } from '../../platform/field/email.js';
import { JOB_FROM_PAYLOAD, inChunk } from '../../platform/queue/deliver-job.js';
import { JOB_PRIORITIES } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';

/** Organizations that want to be told. A partial index holds only these. */
export const ALERTED = `
  select id, slug, name, locale, alerts from organizations where alerts is not null order by id`;

/** Jobs of an organization that are looked at: a backlog has many, and the oldest are among the first of their index. */
const LOOKED_AT = 1000;

const DUE = `
    (select payload from jobs
     where state = 'ready' and task <> '${Task.Expand}' and priority in (${JOB_PRIORITIES.join(', ')}) and organization_id = $1 limit ${LOOKED_AT})
    union all
    (select payload from jobs where state = 'running' and task = '${Task.Deliver}' and organization_id = $1 limit ${LOOKED_AT})
    union all
    (select payload from jobs where state = 'scheduled' and organization_id = $1 limit ${LOOKED_AT})`;

/**
 * Since when the oldest message waits that nothing but a worker, a rate or a channel that fails keeps from being sent. Of each job it looks at one
 * message: those of a job began to wait together. $1: organization.
 */
export const OLDEST_WAITING = `
  with due as materialized (${DUE})
  select min(d.pending_since) since
  from (select payload from due where payload ? 'notification' and payload ? 'channel' and payload ? 'last' and not payload ? 'gate') j
  cross join lateral (
    select d.pending_since from deliveries d where ${inChunk('d', JOB_FROM_PAYLOAD)} and d.waits_for is null limit 1) d`;

/** Failures in a row that go on for so long are told of, also if the channel does not rest yet. */
const FAILS_FOR = `interval '5 minutes'`;

/** Held occurrences that are told of, each for itself. */
const MAX_HELD = 100;

/**
 * Opens an incident for what has begun, and closes those that are over. Processes may do so at the same time. $1: organization, $2: since when
 * messages wait, or null: no backlog is told of.
 */
export const NOTE_INCIDENTS = `
  with current as materialized (
    select 'channel' kind, c.id::text subject, s.failing_since since
    from channels c cross join lateral (
      select coalesce(failing_since, now()) failing_since from channel_states
      where channel_id = c.id and (probe_at is not null or failures > 0 and failing_since < now() - ${FAILS_FOR}) offset 0) s
    where c.organization_id = $1 and c.enabled
    union all
    (select 'held', id::text, held_at from occurrences where organization_id = $1 and held_at is not null and status = 'held' limit ${MAX_HELD})
    union all
    select 'backlog', '', $2::timestamptz where $2::timestamptz is not null
  ), closed as (
    update incidents i set closed_at = now()
    where i.organization_id = $1 and i.closed_at is null
      and not exists (select from current c where c.kind = i.kind and c.subject = i.subject)
      -- It works again when a message was sent, and not because its failures have begun anew.
      and not coalesce(case when i.kind = 'channel' then (
        select s.failures > 0 and (select c.enabled from channels c where c.id = s.channel_id) from channel_states s
        where s.channel_id = i.subject::int) end, false)
  )
  insert into incidents (organization_id, kind, subject, since) select $1, kind, subject, since from current
  on conflict (organization_id, kind, subject) where closed_at is null do nothing`;

/** One process at a time claims an incident of an organization, so that none is one too many in an hour. $1: organization. */
export const CLAIM_LOCK = `select pg_try_advisory_xact_lock(hashtextextended('carillon alerts', $1::int)) locked`;

/**
 * Claims the oldest incident that nobody was told of: that it began, or that it is over. An end that needs no words is written down at once.
 * $1: organization, $2: how many in an hour.
 */
export const CLAIM_INCIDENT = `
  with told as (
    select count(*) filter (where told_at > now() - interval '1 hour') + count(*) filter (where ended_at > now() - interval '1 hour' and kind <> 'held')
           + count(*) filter (where claimed_until > now()) count
    from incidents where organization_id = $1
  ), next as (
    select id from incidents
    where organization_id = $1 and (claimed_until is null or claimed_until < now()) and (select count from told) < $2::int
      and (told_at is null and closed_at is null or told_at is not null and closed_at is not null and ended_at is null and kind <> 'held')
    order by id limit 1
  )
  update incidents i set claimed_until = now() + interval '2 minutes' from next where i.id = next.id
  returning i.id, i.kind, i.subject, i.since, i.closed_at "closedAt"`;

/** $1: incident, $2: whether anybody was told. Otherwise it is tried again in a minute. */
export const TELL_INCIDENT = `
  update incidents
  set told_at = case when $2::bool then coalesce(told_at, now()) else told_at end,
      ended_at = case when $2::bool and told_at is not null then now() else ended_at end,
      claimed_until = case when $2::bool then null else now() + interval '1 minute' end
  where id = $1::int`;

/** $1: organization. */
export const FORGET_INCIDENTS = `
  delete from incidents where organization_id = $1 and opened_at < now() - interval '7 days' and closed_at is not null`;

/** The channel of an incident, and how many messages wait for it. $1: organization, $2: channel. */
export const CHANNEL_OF_INCIDENT = `
  select concat_ws('/', (select p.slug from projects p where p.id = c.project_id), c.slug) path, c.enabled
  from channels c where c.id = $2::int and c.organization_id = $1`;

/** The event of a held occurrence. $1: organization, $2: occurrence. */
export const EVENT_OF_INCIDENT = `
  select concat_ws('/', p.slug, a.slug, e.slug) path
  from occurrences o join events e on e.id = o.event_id join applications a on a.id = e.application_id join projects p on p.id = a.project_id
  where o.id = $2::uuid and o.organization_id = $1`;

/** The channels that may carry an alert: they are on, and their last attempt did not fail. $1: organization, $2: the channel that is not to be used. */
export const WORKING_CHANNELS = `
  select c.id, c.project_id "projectId", concat_ws('/', (select p.slug from projects p where p.id = c.project_id), c.slug) path, c.slug, c.type, c.config
  from channels c
  where c.organization_id = $1 and c.enabled and c.id <> $2::int
    and coalesce((select s.failures from channel_states s where s.channel_id = c.id), 0) = 0
  order by c.type <> 'email', c.project_id nulls first, c.id limit 200`;

/** The users who are told, with their addresses that are not suppressed. $1: organization, $2: names in lower case. */
export const TOLD_USERS = `
  select u.email, u.locale, coalesce((
    select json_agg(json_build_object('name', a.name, 'value', a.value) order by a.id) from addresses a
    where a.user_id = u.id and not exists (
      select from suppressions s
      where ${suppresses('s', { organization: '$1', project: 'null::int', addressKind: 'a.name', address: 'a.value' })})), '[]') addresses
  from users u where u.organization_id = $1 and u.email_key = any($2::text[]) and not u.locked`;
