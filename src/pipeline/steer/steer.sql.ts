import { jobPriority } from '../../queue/priority.js';
import { LOT, Task, addDeliverJob, insertExpandJobs, tellOfExpandJobs } from '../../queue/task.js';

const EDGE = `(select array[notification_id, channel_id, user_id] from batch
  order by notification_id desc, channel_id desc, user_id desc limit 1) edge`;

const PRIORITY = `coalesce(o.options->>'priority', 'normal')`;
/** Many that are retried leave the way free for others, as a large occurrence does. */
const PRIORITY_OF_MANY = `coalesce(o.options->>'priority', case when (select count(*) from batch) >= $5 then 'bulk' else 'normal' end)`;

/** A job for the whole occurrence, one at a time. */
const addSteerJob = (task: string, after = 'null::json') =>
  `graphile_worker.add_job('${task}', json_build_object('occurrence', $1::uuid, 'after', ${after}),
    job_key => '${task}:' || $1::text, priority => ${jobPriority('critical')}, flags => array['steer'])`;

/** The rest of the work goes to the end of the line. $1 occurrence, $2 how far it has come. */
export const STEER_LATER = {
  [Task.Cancel]: `select ${addSteerJob(Task.Cancel, '$2::json')}`,
  [Task.Retry]: `select ${addSteerJob(Task.Retry, '$2::json')}`,
};

const hasPending = (occurrence: string) =>
  `exists (select from deliveries d where d.occurrence_id = ${occurrence} and d.status = 'pending')`;

/** From here on nothing leaves; a job marks what waits. $1 occurrence, $2 organization. */
export const CANCEL = `
  with stopped as (
    update occurrences o set status = 'canceled', canceled_at = now(), checkpoint = null
    where o.id = $1 and o.organization_id = $2
      and (o.status in ('pending', 'expanding', 'held') or (o.status in ('expanded', 'failed') and ${hasPending('o.id')}))
    returning o.id
  ), job as (select ${addSteerJob(Task.Cancel)} from stopped)
  select o.status before, (select count(*) from job) > 0 stopped
  from occurrences o where o.id = $1 and o.organization_id = $2`;

/** What was held is expanded after all, however many it reaches. $1 occurrence, $2 organization. */
export const APPROVE = `
  with approved as (
    update occurrences o set status = 'pending', approved_at = now()
    where o.id = $1 and o.organization_id = $2 and o.status = 'held'
    returning o.id, o.options
  ), jobs as (
    ${insertExpandJobs('json_build_array(o.id)', PRIORITY, 'now()', 'from approved o')}
  ), told as (${tellOfExpandJobs('jobs')})
  select o.status before, (select count(*) from told) > 0 approved
  from occurrences o where o.id = $1 and o.organization_id = $2`;

/** Some deliveries of an occurrence, in the order of their index. $2 to $4 after this one, $5 how many. */
const batch = (status: string, more = 'true') => `
  select id, notification_id, channel_id, user_id from deliveries d
  where d.occurrence_id = $1 and (d.notification_id, d.channel_id, d.user_id) > ($2::int, $3::int, $4::int)
    and d.status = '${status}' and ${more}
  order by d.notification_id, d.channel_id, d.user_id limit $5`;

export const CANCEL_SOME = `
  with batch as (${batch('pending')}), done as (
    update deliveries d set status = 'skipped', gate = 'canceled', next_attempt_at = null
    from batch where d.id = batch.id and d.status = 'pending'
  )
  select ${EDGE}`;

/** A delivery that another one stands in for is not tried again: only the last of them is. */
const NO_STAND_IN = `
  not exists (select from deliveries f where f.occurrence_id = d.occurrence_id and f.notification_id = d.notification_id
                and f.user_id = d.user_id and f.fallback_of = d.id and f.status <> 'skipped')`;

const NOT_CANCELED = `exists (select from occurrences o where o.id = $1 and o.status <> 'canceled')`;

/** Pending again, with a schedule that starts anew, and the jobs that send them; more conditions follow. */
const AGAIN = `
  update deliveries d set status = 'pending', attempts_before = d.attempts, next_attempt_at = null, reason = null,
    pending_since = now(), lot = ${LOT}`;

const againJobs = (priority: string) => `
  select ${addDeliverJob({
    occurrence: '$1::uuid',
    notification: 'notification_id',
    channel: 'channel_id',
    after: 'min(user_id) - 1',
    last: 'max(user_id)',
    template: 'template_channel_id',
    lot: 'lot',
    priority: `(select ${priority} from occurrences o where o.id = $1)`,
  })}
  from done group by notification_id, channel_id, template_channel_id, lot`;

const RETURNING = 'returning d.notification_id, d.channel_id, d.user_id, d.template_channel_id, d.lot';

export const RETRY_SOME = `
  with batch as (${batch('dead', `${NO_STAND_IN} and ${NOT_CANCELED}`)}), done as (
    ${AGAIN} from batch where d.id = batch.id and d.status = 'dead' ${RETURNING}
  ), jobs as (${againJobs(PRIORITY_OF_MANY)})
  select ${EDGE}, (select count(*) from jobs) jobs`;

/** A job does it; one that failed is expanded on. $1 occurrence, $2 organization. */
export const RETRY_ALL = `
  with dead as (
    select count(*)::int count from deliveries d where d.occurrence_id = $1 and d.status = 'dead' and ${NO_STAND_IN}
  ), resumed as (
    update occurrences o
    set status = (case when decisions is null then 'pending' else 'expanding' end)::occurrence_status, problem = null
    where o.id = $1 and o.organization_id = $2 and o.status = 'failed'
    returning o.id, o.options
  ), expand_jobs as (
    ${insertExpandJobs('json_build_array(o.id)', PRIORITY, 'now()', 'from resumed o')}
  ), told as (${tellOfExpandJobs('expand_jobs')}), steer_job as (
    select ${addSteerJob(Task.Retry)} from dead, occurrences o
    where count > 0 and o.id = $1 and o.organization_id = $2 and o.status <> 'canceled'
  )
  select o.status occurrence, null delivery, dead.count retrying, (select count(*) from told), (select count(*) from steer_job)
  from occurrences o, dead where o.id = $1 and o.organization_id = $2`;

/** $1 occurrence, $2 organization, $3 delivery. */
export const RETRY_ONE = `
  with done as (
    ${AGAIN} from occurrences o
    where d.id = $3 and d.occurrence_id = $1 and d.status = 'dead'
      and o.id = $1 and o.organization_id = $2 and o.status <> 'canceled' ${RETURNING}
  ), jobs as (${againJobs(PRIORITY)})
  select o.status occurrence, (select status from deliveries where id = $3 and occurrence_id = $1) delivery,
         (select count(*) from jobs)::int retrying
  from occurrences o where o.id = $1 and o.organization_id = $2`;
