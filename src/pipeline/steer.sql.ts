import { addDeliverJob } from '../queue/task.js';

const EDGE = `(select array[notification_id, channel_id, user_id] from batch
  order by notification_id desc, channel_id desc, user_id desc limit 1) edge`;

/** $1 occurrence, $2 to $4 after this delivery, $5 how many. */
const after = (status: string) => `
  d.occurrence_id = $1 and (d.notification_id, d.channel_id, d.user_id) > ($2::int, $3::int, $4::int) and d.status = '${status}'`;

const IN_ORDER = 'order by d.notification_id, d.channel_id, d.user_id limit $5';

export const CANCEL_SOME = `
  with batch as (
    select id, notification_id, channel_id, user_id from deliveries d where ${after('pending')} ${IN_ORDER}
  ), done as (
    update deliveries d set status = 'skipped', gate = 'canceled', next_attempt_at = null
    from batch where d.id = batch.id and d.status = 'pending'
  )
  select ${EDGE}`;

/** A delivery that another one stands in for, and may yet succeed, is not tried again. */
const NO_STAND_IN = `
  not exists (select from deliveries f where f.occurrence_id = d.occurrence_id and f.notification_id = d.notification_id
                and f.user_id = d.user_id and f.fallback_of = d.id and f.status in ('pending', 'sent'))`;

const AGAIN = `
  update deliveries d set status = 'pending', attempts_before = d.attempts, next_attempt_at = null, reason = null`;

const jobs = (from: string) => `
  select ${addDeliverJob({
    occurrence: '$1::uuid',
    notification: 'notification_id',
    channel: 'channel_id',
    after: 'min(user_id) - 1',
    last: 'max(user_id)',
    template: 'template_channel_id',
    priority: `(select coalesce(options->>'priority', 'normal') from occurrences where id = $1)`,
  })}
  from ${from} group by notification_id, channel_id, template_channel_id`;

export const RETRY_SOME = `
  with batch as (
    select id, notification_id, channel_id, user_id from deliveries d where ${after('dead')} and ${NO_STAND_IN} ${IN_ORDER}
  ), done as (
    ${AGAIN} from batch where d.id = batch.id and d.status = 'dead'
    returning d.notification_id, d.channel_id, d.user_id, d.template_channel_id
  ), jobs as (${jobs('done')})
  select ${EDGE}, (select count(*) from jobs)`;

/** $1 occurrence, $2 delivery. */
export const RETRY_ONE = `
  with done as (
    ${AGAIN} where d.occurrence_id = $1 and d.id = $2 and d.status = 'dead'
    returning d.notification_id, d.channel_id, d.user_id, d.template_channel_id
  ), jobs as (${jobs('done')})
  select (select count(*) from jobs)::int retried`;
