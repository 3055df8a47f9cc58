import { Notice } from '../../platform/database/notice.js';

const COLUMNS = [
  ...['organization_id', 'user_id', 'delivery_id', 'application_id', 'occurrence_id', 'event_id', 'category_id'],
  ...['subject', 'text', 'html', 'rich'],
].join(', ');

/**
 * Brings back snoozed messages whose time has come, some of every organization: one with a million of them does not delay the others. Each is stored
 * again, as a new message with a new id: so it is the first of the list, and open streams show it, as they show every other new message. It is
 * not an update of the id: the copy of an organization that moves would keep the row with the old one. $1: how many of an organization, $2: how many.
 */
export const RETURN_SNOOZED = `
  with recursive owners as (
    (select organization_id from inbox_messages where snoozed_until is not null order by organization_id limit 1)
    union all
    select n.organization_id from owners o cross join lateral (
      select m.organization_id from inbox_messages m
      where m.snoozed_until is not null and m.organization_id > o.organization_id order by m.organization_id limit 1
    ) n
  ), due as (
    select d.id from owners o cross join lateral (
      select id from inbox_messages
      where organization_id = o.organization_id and snoozed_until is not null and snoozed_until <= now()
      order by snoozed_until limit $1 for update skip locked
    ) d
    where not exists (select from organization_freezes f where f.organization_id = o.organization_id)
    limit $2
  ), taken as (
    delete from inbox_messages where id = any(array(select id from due)) returning *
  ), returned as (
    insert into inbox_messages (${COLUMNS}) select ${COLUMNS} from taken order by snoozed_until, id
    returning organization_id, user_id, id
  ), notified as (
    -- One NOTIFY for all of them: 8,000 bytes hold 200 messages.
    select pg_notify('${Notice.Inbox}', json_agg(json_build_array(organization_id, user_id, id))::text) from returned having count(*) > 0
  )
  select (select count(*)::int from returned) returned, (select count(*) from notified)`;
