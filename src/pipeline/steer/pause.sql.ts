import { JOB_FROM_PAYLOAD, addDeliverJob, inRange } from '../../queue/deliver-job.js';
import { EXPAND_PRIORITY } from '../../queue/priority.js';
import { Task, insertExpandJobs, notifyOfExpandJobs } from '../../queue/task.js';
import { SWITCHES } from '../../ruleset/switch.sql.js';

/** $1: occurrence, $2: task, $3: payload, $4: the switch that is off, $5: its id. If a job was killed and runs again, its row already exists. */
export const PAUSE = `
  insert into paused_jobs (occurrence_id, task, payload, switch, switch_id) values ($1, $2, $3, $4::switch, $5)
  on conflict (occurrence_id, payload) do nothing`;

/** One look-up for each switch. A job whose switch was deleted is resumed too. */
const isOn = `case s.switch ${SWITCHES.map(
  (kind) => `when '${kind}' then (select t.enabled from ${kind}s t where t.id = s.switch_id)`,
).join(' ')} end is not false`;

/**
 * Puts some jobs whose switch is on again back into the queue. A job that another switch also stops will be paused again. A pause of
 * more than an hour does not count towards the 21 hours that a message may wait for a failing channel. $1: how many.
 */
export const RESUME = `
  with released as (
    select switch, switch_id from (select distinct switch, switch_id from paused_jobs) s where ${isOn}
  ), resumed as (
    delete from paused_jobs where id = any(array(
      select j.id from paused_jobs j join released using (switch, switch_id) order by j.id limit $1 for update of j skip locked))
    returning occurrence_id, task, payload, paused_at
  ), extended as (
    update deliveries d set pending_since = d.pending_since + (now() - greatest(w.paused_at, d.pending_since))
    from resumed w
    where w.task = '${Task.Deliver}' and w.paused_at < now() - interval '1 hour' and d.status = 'pending'
      and ${inRange('d', JOB_FROM_PAYLOAD)}
  ), deliver_jobs as (
    select ${addDeliverJob(JOB_FROM_PAYLOAD)}
    from resumed where task = '${Task.Deliver}'
  ), expand_jobs as (
    ${insertExpandJobs(
      'json_build_array(o.id)',
      EXPAND_PRIORITY,
      'now()',
      `from resumed w join occurrences o on o.id = w.occurrence_id where w.task = '${Task.Expand}'`,
    )}
  ), notified as (${notifyOfExpandJobs('expand_jobs')})
  select (select count(*)::int from resumed) resumed, (select count(*) from deliver_jobs), (select count(*) from notified)`;
