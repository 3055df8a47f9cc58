/** A badge of more says nothing more. */
const MOST = 1000;

/**
 * How many messages each reader will have unread in the inbox when this one is there: those that are, and the one that the same notification is about to
 * store. Deliveries and inbox messages are written in one statement, so none is counted twice. $1: JSON with organization, occurrence, notification and
 * reader of each.
 */
export const COUNT_UNREAD = `
  select t.place::int, m.unread + i.coming unread
  from rows from (jsonb_to_recordset($1::jsonb) as (organization int, occurrence uuid, notification int, reader int))
    with ordinality t(organization, occurrence, notification, reader, place)
  cross join lateral (
    select count(*)::int unread from (
      select from inbox_messages
      where user_id = t.reader and organization_id = t.organization and archived_at is null and read_at is null limit ${MOST}) m
  ) m
  cross join lateral (
    select count(*)::int coming from channels c
    join deliveries d on d.occurrence_id = t.occurrence and d.notification_id = t.notification and d.channel_id = c.id and d.user_id = t.reader
    where c.organization_id = t.organization and c.type = 'inbox' and d.status = 'pending'
      and d.waits_for is null and (d.next_attempt_at is null or d.next_attempt_at <= now())
  ) i`;
