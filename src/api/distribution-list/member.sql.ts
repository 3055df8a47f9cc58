import { nextRows } from '../../platform/database/next-rows.js';

// Looks up the addresses, users and channels of a page by all their keys at once. PostgreSQL cannot estimate how many there are. A full
// join forces a good plan, and returns no extra rows here: 5 ms for 1,000 members, whatever the size of the list. Plain joins take up to
// 39 ms.
export const LIST_MEMBERS = `
  with page as (
    select id, user_id, address_id, channel_id, active from members where ${nextRows('list_id')}
  ), a as (
    select id, name, value from addresses where id = any(array(select address_id from page))
  ), u as (
    select id, email from users where id = any(array(select user_id from page))
  ), c as (
    select id, slug from channels where id = any(array(select channel_id from page))
  )
  select m.id, a.value address, u.email "user", coalesce(c.slug, a.name) channel, m.active
  from page m
  full join a on a.id = m.address_id
  full join u on u.id = m.user_id
  full join c on c.id = m.channel_id
  order by m.id`;

/**
 * Skips existing rows before `on conflict`, because a row that `on conflict` refuses has already used up an id. `on conflict` is for races only.
 * $1 organization, $2 list, $3 keys of e-mails.
 */
export const ADD_MEMBERS = `
  insert into members (organization_id, list_id, user_id, address_id)
  select u.organization_id, $2, u.id, a.id
  from users u join addresses a on a.user_id = u.id and a.name = 'email' and a.value = u.email
  where u.organization_id = $1 and u.email_key = any($3::text[])
    and not exists (select from members m where m.list_id = $2 and m.address_id = a.id)
  order by u.id
  on conflict (list_id, address_id) do nothing`;
