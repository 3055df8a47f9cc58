import { resolutionsOf } from '../../rules/thread/resolution.sql.js';

const ASKED = `inbox_messages.rich->'acknowledge'`;
const THREAD = {
  occurrence: 'inbox_messages.occurrence_id',
  value: `(${ASKED}->>'value')`,
  field: `${ASKED}->>'field'`,
};

/**
 * Whether somebody should acknowledge the occurrence of a row of `inbox_messages`, as the page behind the link of the message says it. What it needs of the notification is in the row (`Asked`): a message that
 * does not ask costs nothing. Values and no `exists`: PostgreSQL may answer that with a hash of the whole table.
 */
export const ACKNOWLEDGE_STATE = `
    case when ${ASKED} is null then null
    when (
      select true from acknowledgements a where a.occurrence_id = inbox_messages.occurrence_id
        and (a.user_id = inbox_messages.user_id or ${ASKED}->'each' is null)
        and (a.at + (${ASKED}->>'seconds')::int * interval '1 second' > now()) is not false limit 1) then 'done'
    when (
      select o.canceled_at is null and ((o.options->>'expires_at')::timestamptz > now()) is not false
      from occurrences o where o.id = inbox_messages.occurrence_id)
      and (select true from ${resolutionsOf(THREAD)} limit 1) is null then 'open' end`;
