import { JOB_FROM_PAYLOAD, inChunk } from '../../platform/queue/deliver-job.js';
import { JOB_PRIORITIES } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';

/** $1: organization, $2: where to stop. */
export const HELD_OCCURRENCES = `
  select count(*)::int count from (
    select from occurrences where organization_id = $1 and held_at is not null and status = 'held' limit $2) held`;

/** $1: organization, $2: where to stop, $3: the first id of the time. */
export const DEAD_DELIVERIES = `
  select count(*)::int count from (
    select from deliveries where organization_id = $1 and reason is not null and occurrence_id >= $3::uuid and status = 'dead' limit $2) dead`;

/** $1: organization. */
export const RESTING_CHANNELS = `
  select count(*)::int count from channels c
  where c.organization_id = $1 and (select probe_at from channel_states s where s.channel_id = c.id) is not null`;

// It walks the configuration of one organization, from the project down.
const APPLICATIONS = `projects p join applications a on a.project_id = p.id`;
const EVENTS = `${APPLICATIONS} join events e on e.application_id = a.id`;
const NOTIFICATIONS = `${EVENTS} join notifications n on n.event_id = e.id`;

/** $1: organization, $2: how many. */
export const SWITCHED_OFF = `
  select 'project' kind, p.slug path from projects p where p.organization_id = $1 and not p.enabled
  union all
  select 'application', concat_ws('/', p.slug, a.slug) from ${APPLICATIONS} where p.organization_id = $1 and not a.enabled
  union all
  select 'event', concat_ws('/', p.slug, a.slug, e.slug) from ${EVENTS} where p.organization_id = $1 and not e.enabled
  union all
  select 'notification', concat_ws('/', p.slug, a.slug, e.slug, n.name) from ${NOTIFICATIONS} where p.organization_id = $1 and not n.enabled
  union all
  select 'channel', concat_ws('/', (select p.slug from projects p where p.id = c.project_id), c.slug) from channels c
  where c.organization_id = $1 and not c.enabled
  limit $2`;

/**
 * The occurrences of each minute, of all events of the organization. Ids are ordered by time. $1: organization, $2: the first id of each
 * minute, and one more, $3: where each count stops.
 */
export const TRIGGERS_PER_MINUTE = `
  with busy as materialized (
    select e.id from ${EVENTS}
    where p.organization_id = $1 and (select o.id from occurrences o where o.event_id = e.id order by o.id desc limit 1) >= ($2::uuid[])[1]
  )
  select (select count(*)::int from (
            select from busy b cross join lateral (
              select from occurrences o where o.event_id = b.id and o.id >= ($2::uuid[])[n] and o.id < ($2::uuid[])[n + 1] limit $3) o limit $3) few) count
  from generate_series(1, cardinality($2::uuid[]) - 1) n order by n`;

/** The oldest job of each lane is one look into an index. It goes from lane to lane: there are no more of them than channels and status webhooks. */
const oldest = (ready: string) => `
  select (select min(j.run_at) from jobs j where ${ready} and j.priority = l.priority and j.organization_id = $1 and j.lane = l.lane) run_at
  from (
    with recursive lanes as (
      select p.priority, (
        select min(j.lane) from jobs j where ${ready} and j.priority = p.priority and j.organization_id = $1) lane
      from unnest(array[${JOB_PRIORITIES.join(', ')}]) p(priority)
      union all
      select l.priority, (
        select min(j.lane) from jobs j where ${ready} and j.priority = l.priority and j.organization_id = $1 and j.lane > l.lane)
      from lanes l where l.lane is not null
    )
    select * from lanes where lane is not null
  ) l`;

/** How long the oldest job of an organization has been due; null: there is none. $1: organization. */
export const OLDEST_JOB = `
  select extract(epoch from now() - min(run_at))::float8 seconds from (
    ${oldest(`j.state = 'ready' and j.task = '${Task.Expand}'`)}
    union all
    ${oldest(`j.state = 'ready' and j.task <> '${Task.Expand}'`)}
  ) waiting`;

/** The jobs of an organization that wait or run. Paused ones are left out: their switch is off, and the summary lists it. */
const JOBS = `
    (select task, payload from jobs
     where state = 'ready' and task = '${Task.Expand}' and priority in (${JOB_PRIORITIES.join(', ')}) and organization_id = $1 limit $2)
    union all
    (select task, payload from jobs
     where state = 'ready' and task <> '${Task.Expand}' and priority in (${JOB_PRIORITIES.join(', ')}) and organization_id = $1 limit $2)
    union all
    (select task, payload from jobs where state = 'running' and organization_id = $1 limit $2)
    union all
    (select task, payload from jobs where state = 'scheduled' and organization_id = $1 limit $2)`;

/** The triggers whose recipients are not found yet, and the messages that are not sent yet. $1: organization, $2: where each count stops. */
export const WAITING = `
  with waiting as materialized (${JOBS})
  select (select count(*)::int from (
            select from waiting, jsonb_array_elements(case task when '${Task.Expand}' then payload->'occurrences' else '[]' end) limit $2) t) triggers,
         (select count(*)::int from (
            select from (select payload from waiting where task = '${Task.Deliver}') j join deliveries d on ${inChunk('d', JOB_FROM_PAYLOAD)} limit $2) m) messages`;
