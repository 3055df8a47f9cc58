import { EXPAND_PRIORITY } from '../../queue/priority.js';
import { Task, addDeliverJob, insertExpandJobs, tellOfExpandJobs } from '../../queue/task.js';
import { SWITCHES } from '../../ruleset/switch.sql.js';

/** $1 occurrence, $2 task, $3 payload, $4 the switch that is off, $5 its id. A job that was killed before it ended is here already. */
export const PAUSE = `
  insert into paused_jobs (occurrence_id, task, payload, switch, switch_id) values ($1, $2, $3, $4::switch, $5)
  on conflict (occurrence_id, payload) do nothing`;

/** One look-up for each switch; what was deleted holds nothing up any more. */
const isOn = `case s.switch ${SWITCHES.map(
  (kind) => `when '${kind}' then (select t.enabled from ${kind}s t where t.id = s.switch_id)`,
).join(' ')} end is not false`;

const inPayload = (name: string) => `(payload->>'${name}')::int`;

/**
 * Some jobs whose switch is on again go back into the queue; one that another switch holds up too will be paused anew. The time of
 * the pause is not counted among the 21 hours that a message may wait for a channel that fails, unless it was so short that it does
 * not matter. $1 how many.
 */
export const WAKE = `
  with released as (
    select switch, switch_id from (select distinct switch, switch_id from paused_jobs) s where ${isOn}
  ), woken as (
    delete from paused_jobs where id = any(array(
      select j.id from paused_jobs j join released using (switch, switch_id) order by j.id limit $1 for update of j skip locked))
    returning occurrence_id, task, payload, paused_at
  ), spared as (
    update deliveries d set pending_since = d.pending_since + (now() - greatest(w.paused_at, d.pending_since))
    from woken w
    where w.task = '${Task.Deliver}' and w.paused_at < now() - interval '1 hour' and d.status = 'pending'
      and d.occurrence_id = w.occurrence_id and d.notification_id = ${inPayload('notification')} and d.channel_id = ${inPayload('channel')}
      and d.user_id > ${inPayload('after')} and d.user_id <= ${inPayload('last')}
  ), deliver_jobs as (
    select ${addDeliverJob({
      occurrence: 'occurrence_id',
      notification: inPayload('notification'),
      channel: inPayload('channel'),
      after: inPayload('after'),
      last: inPayload('last'),
      template: inPayload('template'),
      lot: `(payload->>'lot')::bigint`,
      priority: `(payload->>'priority')`,
    })}
    from woken where task = '${Task.Deliver}'
  ), expand_jobs as (
    ${insertExpandJobs(
      'json_build_array(o.id)',
      EXPAND_PRIORITY,
      'now()',
      `from woken w join occurrences o on o.id = w.occurrence_id where w.task = '${Task.Expand}'`,
    )}
  ), told as (${tellOfExpandJobs('expand_jobs')})
  select (select count(*)::int from woken) woken, (select count(*) from deliver_jobs), (select count(*) from told)`;
