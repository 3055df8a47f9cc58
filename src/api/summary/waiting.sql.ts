import { JOB_FROM_PAYLOAD, inChunk } from '../../platform/queue/deliver-job.js';
import { JOB_PRIORITIES } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';
import { READY, RUNNING, SCHEDULED } from './sending.sql.js';

const messagesOf = (jobs: string) => `
    (select d.id, d.channel_id, d.waits_for, d.attempts, d.next_attempt_at, d.pending_since, j.run_at
     from (select payload, run_at from ${jobs} j where task = '${Task.Deliver}') j join deliveries d on ${inChunk('d', JOB_FROM_PAYLOAD)} limit $2)`;

const PAUSED = `
    (select task, payload, paused_at, switch, switch_id from jobs where state = 'paused' and organization_id = $1 limit $2)`;

/** When an occurrence was triggered. */
const triggered = (id: string) => `(select created_at from occurrences where id = (${id})::uuid)`;

/**
 * What is not sent yet, by the reason why, and since when the first of each waits. A channel that fails is the reason for what it has tried
 * before, and for everything while it rests. Each reason counts what is among the first jobs and messages of each state. $1: organization, $2: how many
 * of each to look at.
 */
export const WAITING_BY_REASON = `
  with messages as materialized (
    ${messagesOf(READY)} union all ${messagesOf(RUNNING)} union all ${messagesOf(SCHEDULED)}
  ),
  judged as (
    select case when m.waits_for is not null then m.waits_for::text
                when s.probe_at is not null or s.failures > 0 and m.attempts > 0 then 'channel'
                when m.attempts > 0 and m.next_attempt_at > now() then 'retry'
                else 'turn' end reason, m.*
    from messages m left join lateral (select * from channel_states s where s.channel_id = m.channel_id offset 0) s on true
  ),
  triggers as materialized (
    select 'turn' reason, payload->'occurrences' occurrences, null::timestamptz run_at from (
      select task, payload from jobs
      where state = 'ready' and task = '${Task.Expand}' and priority in (${JOB_PRIORITIES.join(', ')}) and organization_id = $1 limit $2) j
    union all
    select 'turn', payload->'occurrences', null from ${RUNNING} j where task = '${Task.Expand}'
    union all
    select 'send_at', payload->'occurrences', run_at from ${SCHEDULED} j where task = '${Task.Expand}'
    union all
    select 'steps', jsonb_build_array(payload->'occurrence'), run_at from ${SCHEDULED} j where task = '${Task.Step}'
  ),
  paused as materialized ${PAUSED}
  select reason, null switch, null::int "switchId", case when reason = 'channel' then channel_id end "channelId",
         0 triggers, count(*)::int messages, min(pending_since) since, min(case when reason <> 'turn' then run_at end) until
  from judged group by 1, 4
  union all
  select reason, null, null, null, sum(jsonb_array_length(occurrences))::int, 0, min(${triggered('occurrences->>0')}), min(run_at)
  from triggers group by 1
  union all
  select 'off', switch::text, switch_id, null,
         sum(case task when '${Task.Expand}' then jsonb_array_length(payload->'occurrences') when '${Task.ExpandOne}' then 1 else 0 end)::int,
         (select count(*)::int from (
            select from (select payload from paused o where o.task = '${Task.Deliver}' and (o.switch, o.switch_id) = (p.switch, p.switch_id)) j
            join deliveries d on ${inChunk('d', JOB_FROM_PAYLOAD)} limit $2) m),
         min(paused_at), null
  from paused p group by p.switch, p.switch_id
  union all
  select 'digest', null, null, null, 0, sum(items)::int, min(opened_at), min(due_at)
  from (select items, opened_at, due_at from digests where organization_id = $1 order by due_at limit $2) d having count(*) > 0
  union all
  select 'held', null, null, null, count(*)::int, 0, min(held_at), null
  from (select held_at from occurrences where organization_id = $1 and held_at is not null and status = 'held' limit $2) h having count(*) > 0`;

/** The channels of an organization whose last attempts failed, those that rest first. $1: organization, $2: how many. */
export const FAILING_CHANNELS = `
  select c.id, (select p.slug from projects p where p.id = c.project_id) project, c.slug, s.failing_since "failingSince", s.probe_at "probeAt"
  from channels c cross join lateral (select * from channel_states s where s.channel_id = c.id and s.failures > 0 offset 0) s
  where c.organization_id = $1 and c.enabled
  order by s.probe_at is null, c.id limit $2`;

const PROJECT = `(select p.slug from projects p where p.id = x.project_id)`;

/**
 * The slugs of switches and channels that something waits for, from the project down. $1: kinds, $2: ids, $3: organization.
 */
export const PATHS = `
  select k.kind, k.id, case k.kind
    when 'project' then (select x.slug from projects x where x.id = k.id and x.organization_id = $3)
    when 'application' then (select concat_ws('/', ${PROJECT}, x.slug) from applications x where x.id = k.id and x.organization_id = $3)
    when 'event' then (
      select concat_ws('/', ${PROJECT}, x.application, x.slug)
      from (select e.*, a.slug application, a.project_id from events e join applications a on a.id = e.application_id where e.id = k.id) x where x.organization_id = $3)
    when 'notification' then (
      select concat_ws('/', ${PROJECT}, x.application, x.event, x.name)
      from (select n.organization_id, n.name, e.slug event, a.slug application, a.project_id
            from notifications n join events e on e.id = n.event_id join applications a on a.id = e.application_id where n.id = k.id) x
      where x.organization_id = $3)
    when 'channel' then (select concat_ws('/', ${PROJECT}, x.slug) from channels x where x.id = k.id and x.organization_id = $3)
    end path
  from unnest($1::text[], $2::int[]) k(kind, id)`;
