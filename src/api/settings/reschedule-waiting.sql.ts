import { JOB_OF_GROUP, LOT, insertDeliverJobs } from '../../platform/queue/deliver-job.js';

/**
 * Makes the deliveries due that wait for the clock of some users. Before they are sent, they find their time again, in their order. $1: organization, $2: ids
 * of users. At most once in a transaction for each organization: the lot is that of the transaction.
 */
export const LOOK_AGAIN = `
  with due as (
    update deliveries d set lot = ${LOT}, next_attempt_at = now()
    where d.user_id = any($2::int[]) and d.organization_id = $1 and d.status = 'pending'
      and d.waits_for is not null and d.waits_for in ('quiet', 'window', 'send_at')
    returning d.organization_id, d.occurrence_id, d.notification_id, d.channel_id, d.user_id, d.template_channel_id, d.lot
  )
  ${insertDeliverJobs(
    {
      ...JOB_OF_GROUP,
      occurrence: 'occurrence_id',
      template: 'template_channel_id',
      priority: `(select coalesce(o.options->>'priority', 'normal') from occurrences o where o.id = occurrence_id)`,
    },
    'organization_id',
    'from due group by organization_id, occurrence_id, notification_id, channel_id, template_channel_id, lot',
  )}`;
