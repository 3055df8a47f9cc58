import { JOB_FROM_PAYLOAD, inChunk } from '../../platform/queue/deliver-job.js';
import { JOB_PRIORITIES } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';

/** The jobs of one organization that are ready, other than triggers; so many as `$2` says. */
export const READY = `
    (select task, payload, run_at from jobs
     where state = 'ready' and task <> '${Task.Expand}' and priority in (${JOB_PRIORITIES.join(', ')}) and organization_id = $1 limit $2)`;
export const RUNNING = `
    (select task, payload, run_at from jobs where state = 'running' and organization_id = $1 limit $2)`;
export const SCHEDULED = `
    (select task, payload, run_at from jobs where state = 'scheduled' and organization_id = $1 limit $2)`;

/** A job that waits no longer than this waits for the rate of its channel, not for an hour of the day. */
const SOON = `interval '1 minute'`;

/** Of a running job for many triggers, so many are looked at. */
const TRIGGERS = 100;

/** Its channel rests, or has failed and is tried again later. */
const WAITS_FOR_CHANNEL = `coalesce((
    select s.probe_at is not null or s.failures > 0 and w.run_at > now() from channel_states s where s.channel_id = (w.payload->>'channel')::int), false)`;

/**
 * The occurrences that are being sent right now, those with the most users in their waiting jobs first. Without those that only wait for a channel that
 * fails. What is counted are the messages of an occurrence, or, if it has too many, those of its waiting jobs. $1: organization, $2: how many
 * jobs of each state to look at, $3: how many occurrences, $4: where each count stops.
 */
export const SENDING = `
  with work as materialized (
    select task, payload, run_at from (${READY} union all ${RUNNING} union all ${SCHEDULED}) j where run_at < now() + ${SOON}
  ),
  deliver as materialized (
    select (w.payload->>'occurrence')::uuid id, w.payload from work w where w.task = '${Task.Deliver}' and not ${WAITS_FOR_CHANNEL}
  ),
  candidates as materialized (
    select id, sum(users) users from (
      select id, (payload->>'last')::int - (payload->>'after')::int users from deliver
      union all
      select (payload->>'occurrence')::uuid, 1000 from work where task = '${Task.ExpandOne}'
      union all
      (select occurrence::uuid, 1 from work, jsonb_array_elements_text(payload->'occurrences') occurrence where task = '${Task.Expand}' limit ${TRIGGERS})
    ) c
    group by id order by users desc, id desc limit $3
  )
  select o.id, o.status, o.created_at "createdAt", place->>0 project, place->>1 application, place->>2 event, seen.sent,
         case when seen.all < $4 then seen.pending
              else (select count(*)::int from (
                select from (select payload from deliver where id = c.id) j join deliveries d on ${inChunk('d', JOB_FROM_PAYLOAD)} limit $4) m)
              end waiting
  from candidates c
  cross join lateral (
    select *, (
      select json_build_array(p.slug, a.slug, e.slug)
      from events e join applications a on a.id = e.application_id join projects p on p.id = a.project_id where e.id = o.event_id) place
    from occurrences o where o.id = c.id and o.status in ('pending', 'expanding', 'expanded')
  ) o
  cross join lateral (
    select count(*)::int "all", count(*) filter (where status = 'sent')::int sent, count(*) filter (where status = 'pending')::int pending
    from (select status from deliveries where occurrence_id = c.id limit $4) d
  ) seen
  where seen.pending > 0 or seen.all >= $4 or o.status <> 'expanded'
  order by c.users desc, c.id desc`;
