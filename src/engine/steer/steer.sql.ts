import {
  JOB_OF_GROUP,
  LOT,
  RANGE_FROM_PARAMETERS,
  inChunk,
  insertDeliverJobs,
} from '../../platform/queue/deliver-job.js';
import { insertExpandOneJobs, insertJobs } from '../../platform/queue/job.sql.js';
import { jobPriority } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';

const EDGE = `(select array[notification_id, channel_id, user_id] from batch
  order by notification_id desc, channel_id desc, user_id desc limit 1) edge`;

const PRIORITY = `coalesce(o.options->>'priority', 'normal')`;
/** A large retry runs as `bulk`, like a large occurrence. */
const PRIORITY_OF_MANY = `coalesce(o.options->>'priority', case when (select count(*) from batch) >= $5 then 'bulk' else 'normal' end)`;

/** A statement that inserts the job of the whole occurrence `o`, unless such a job waits already. */
const insertSteerJob = (task: string, from: string) => `${insertJobs(
  {
    task,
    organization: 'o.organization_id',
    lane: `'steer'`,
    priority: jobPriority('critical'),
    payload: `jsonb_build_object('occurrence', o.id)`,
    key: `concat('${task}:', o.id)`,
  },
  from,
)}
    on conflict (key) do nothing`;

const hasPending = (occurrence: string) =>
  `exists (select from deliveries d where d.occurrence_id = ${occurrence} and d.status = 'pending')`;

/** Cancels an occurrence: nothing more is sent. A job marks its waiting deliveries. $1: occurrence, $2: organization. */
export const CANCEL = `
  with stopped as (
    update occurrences o set status = 'canceled', canceled_at = now(), held_at = null, checkpoint = null, open_steps = null
    where o.id = $1 and o.organization_id = $2
      and (o.status in ('pending', 'expanding', 'held') or (o.status in ('expanded', 'failed') and (o.open_steps is not null or ${hasPending('o.id')})))
    returning o.id, o.organization_id
  ), job as (${insertSteerJob(Task.Cancel, 'from stopped o')})
  select o.status before, exists (select from stopped) stopped
  from occurrences o where o.id = $1 and o.organization_id = $2`;

/** Approves a held occurrence: it is expanded, no matter how many users it reaches. $1: occurrence, $2: organization. */
export const APPROVE = `
  with approved as (
    update occurrences o set status = 'pending', approved_at = now(), held_at = null
    where o.id = $1 and o.organization_id = $2 and o.status = 'held'
    returning o.id, o.organization_id, o.options
  ), job as (${insertExpandOneJobs('from approved o', PRIORITY)})
  select o.status before, exists (select from approved) approved
  from occurrences o where o.id = $1 and o.organization_id = $2`;

/** The next deliveries of an occurrence, in the order of their index. $2 to $4: the delivery before them, $5: how many. */
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

/** $1 to $7: `rangeValues`, $8: gate, $9: evidence. */
export const SKIP_PAUSED = `
  update deliveries d set status = 'skipped', gate = $8::gate, evidence = $9::jsonb, next_attempt_at = null, waits_for = null
  where ${inChunk('d', RANGE_FROM_PARAMETERS)}`;

/** A dead delivery whose fallback was tried is not retried: only the fallback is. */
const HAS_NO_FALLBACK = `
  not exists (select from deliveries f where f.occurrence_id = d.occurrence_id and f.notification_id = d.notification_id
                and f.user_id = d.user_id and f.fallback_of = d.id and f.status <> 'skipped')`;

const NOT_CANCELED = `exists (select from occurrences o where o.id = $1 and o.status <> 'canceled')`;

/** Makes deliveries pending again with a new retry schedule; the conditions follow. */
const MAKE_PENDING = `
  update deliveries d set status = 'pending', attempts_before = d.attempts, next_attempt_at = null, reason = null,
    pending_since = now(), lot = ${LOT}`;

/** A dead message has no place within a limit any more. It asks for a new one. */
const WITHOUT_PLACES = `given_back as (delete from message_places p using done d where p.delivery_id = d.id and not p.is_kept)`;

const retryJobs = (priority: string) =>
  insertDeliverJobs(
    {
      ...JOB_OF_GROUP,
      occurrence: '$1::uuid',
      template: 'template_channel_id',
      priority: `(select ${priority} from occurrences o where o.id = $1)`,
    },
    'organization_id',
    'from done group by organization_id, notification_id, channel_id, template_channel_id, lot returning id',
  );

const RETURNING =
  'returning d.id, d.organization_id, d.notification_id, d.channel_id, d.user_id, d.template_channel_id, d.lot';

export const RETRY_SOME = `
  with batch as (${batch('dead', `${HAS_NO_FALLBACK} and ${NOT_CANCELED}`)}), done as (
    ${MAKE_PENDING} from batch where d.id = batch.id and d.status = 'dead' ${RETURNING}
  ), ${WITHOUT_PLACES}, job as (${retryJobs(PRIORITY_OF_MANY)})
  select ${EDGE}`;

/** Adds a job that retries all dead deliveries; the expansion of a failed occurrence resumes. $1: occurrence, $2: organization. */
export const RETRY_ALL = `
  with dead as (
    select count(*)::int count from deliveries d where d.occurrence_id = $1 and d.status = 'dead' and ${HAS_NO_FALLBACK}
  ), resumed as (
    update occurrences o
    set status = (case when decisions is null then 'pending' else 'expanding' end)::occurrence_status, problem = null
    where o.id = $1 and o.organization_id = $2 and o.status = 'failed'
    returning o.id, o.organization_id, o.options
  ), expand_job as (${insertExpandOneJobs('from resumed o', PRIORITY)}), steer_job as (
    ${insertSteerJob(
      Task.Retry,
      `from dead, occurrences o where count > 0 and o.id = $1 and o.organization_id = $2 and o.status <> 'canceled'`,
    )}
  )
  select o.status occurrence, null delivery, dead.count retrying
  from occurrences o, dead where o.id = $1 and o.organization_id = $2`;

/** $1: occurrence, $2: organization, $3: delivery. */
export const RETRY_ONE = `
  with done as (
    ${MAKE_PENDING} from occurrences o
    where d.id = $3 and d.occurrence_id = $1 and d.status = 'dead'
      and o.id = $1 and o.organization_id = $2 and o.status <> 'canceled' ${RETURNING}
  ), ${WITHOUT_PLACES}, job as (${retryJobs(PRIORITY)})
  select o.status occurrence, (select status from deliveries where id = $3 and occurrence_id = $1) delivery,
         (select count(*) from job)::int retrying
  from occurrences o where o.id = $1 and o.organization_id = $2`;
