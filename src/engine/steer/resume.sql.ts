import { Notice } from '../../platform/database/notice.js';
import { JOB_FROM_PAYLOAD, inRange } from '../../platform/queue/deliver-job.js';
import { Task } from '../../platform/queue/task.js';
import { SWITCHES } from '../../rules/ruleset/switch.sql.js';

/** One look-up for each switch. A job whose switch was deleted is resumed too. */
const isOn = `case s.switch ${SWITCHES.map(
  (kind) => `when '${kind}' then (select t.enabled from ${kind}s t where t.id = s.switch_id)`,
).join(' ')} end is not false`;

/**
 * Makes some paused jobs ready whose switch is on again. A job that another switch also stops will be paused again. A pause of
 * more than an hour does not count towards the 21 hours that a message may wait for a failing channel. $1: how many.
 */
export const RESUME = `
  with recursive switches as (
    (select switch, switch_id from jobs where state = 'paused' order by switch, switch_id limit 1)
    union all
    select n.switch, n.switch_id from switches s cross join lateral (
      select j.switch, j.switch_id from jobs j
      where j.state = 'paused' and (j.switch, j.switch_id) > (s.switch, s.switch_id) order by j.switch, j.switch_id limit 1
    ) n
  ), resumed as (
    update jobs j set state = 'ready', run_at = now(), switch = null, switch_id = null
    where id = any(array(
      select p.id from (select switch, switch_id from switches s where ${isOn}) released, lateral (
        select id from jobs p where p.state = 'paused' and p.switch = released.switch and p.switch_id = released.switch_id
        limit $1 for update skip locked
      ) p limit $1))
    returning task, payload, paused_at
  ), extended as (
    update deliveries d set pending_since = d.pending_since + (now() - greatest(w.paused_at, d.pending_since))
    from resumed w
    where w.task = '${Task.Deliver}' and w.paused_at < now() - interval '1 hour' and d.status = 'pending'
      and ${inRange('d', JOB_FROM_PAYLOAD)}
  )
  select count(*)::int resumed, case when count(*) > 0 then pg_notify('${Notice.Jobs.name}', '${Notice.Jobs.others}')::text end from resumed`;
