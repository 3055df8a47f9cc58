import { CHOICE_COLUMNS } from '../../rules/ruleset/choices.js';
import { RECIPIENT_COLUMNS } from '../../rules/ruleset/message.sql.js';
import { recheck } from '../deliver/recheck.sql.js';
import { isIn } from './expand-small.sql.js';

const TARGETS = `jsonb_to_recordset($1::jsonb) t(occurrence uuid, notification int, channel int, ${CHOICE_COLUMNS})`;

/**
 * Checks the preferences of the users of closed digests again, and loads the users whose digest is sent now. A row without an id stands for a
 * digest that waits, or was skipped. $1: targets with their `Choices`, as JSON.
 */
export const RECHECK_DIGESTS = `
  with ${recheck({
    from: `${TARGETS} join deliveries d on d.occurrence_id = t.occurrence and d.notification_id = t.notification and d.channel_id = t.channel`,
    where: `d.status = 'pending' and d.lot is null and d.next_attempt_at is null`,
    choices: `(select to_jsonb(t) from ${TARGETS} where t.occurrence = d.occurrence_id)`,
  })}
  select j.occurrence_id occurrence, j.id, j.notification_id notification, j.channel_id channel, j.user_id "userId", j.pending_since "pendingSince",
         case when j.id is not null then 0 end attempts, case when j.id is not null then 0 end "attemptsBefore", j.gate, ${RECIPIENT_COLUMNS}
  from (
    select occurrence_id, id, notification_id, channel_id, user_id, address_id, pending_since, null::gate gate
    from judged where not ${isIn('judged.id', 'select id from changed')}
    union all
    select occurrence_id, null, notification_id, channel_id, null, null, null, gate from changed
  ) j
  left join users u on u.id = j.user_id
  left join addresses a on a.id = j.address_id`;
