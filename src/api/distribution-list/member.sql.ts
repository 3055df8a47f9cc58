import { nextRows } from '../../platform/database/next-rows.js';

// Looks up the addresses, users and channels of a page by all their keys at once. PostgreSQL cannot estimate how many there are. A full
// join forces a good plan, and returns no extra rows here: 5 ms for 1,000 members, whatever the size of the list. Plain joins take up to
// 39 ms.
const listMembers = (condition: string) => `
  with page as (
    select id, user_id, address_id, channel_id, active from members where ${condition}${nextRows('list_id')}
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

export const LIST_MEMBERS = listMembers('');

/** Only members with a chosen channel, or only the others. */
export const LIST_MEMBERS_BY_CHOICE = {
  '1': listMembers('channel_id is not null and '),
  '0': listMembers('channel_id is null and '),
} as const;

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

// Statements that replace the memberships of users.

/** The lists cannot be deleted before the transaction ends. $1 organization, $2 slugs of projects, $3 keys of lists. */
export const FIND_LISTS = `
  select l.id, l.project_id "projectId", p.slug project, l.name_key "key"
  from projects p join distribution_lists l on l.project_id = p.id
  where p.organization_id = $1 and (p.slug, l.name_key) in (select * from unnest($2::text[], $3::text[]))
  order by l.id for key share of l`;

/** $1 users. */
export const ADDRESSES_OF_USERS = `
  select id, user_id "userId", name, value from addresses where user_id = any($1::int[]) order by id`;

/** Removes all memberships of these users but the given ones. $1 organization, $2 users, $3 lists, $4 addresses. */
export const REMOVE_MEMBERSHIPS = `
  delete from members m where m.organization_id = $1 and m.user_id = any($2::int[])
    and not exists (select from unnest($3::int[], $4::int[]) i(list_id, address_id) where i.list_id = m.list_id and i.address_id = m.address_id)`;

/** $1 organization, $2 users, $3 lists, $4 addresses, $5 channels, $6 active. */
export const ADD_MEMBERSHIPS = `
  insert into members (organization_id, list_id, user_id, address_id, channel_id, active)
  select $1, i.list_id, i.user_id, i.address_id, i.channel_id, i.active
  from unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::boolean[]) i(user_id, list_id, address_id, channel_id, active)
  order by i.list_id, i.user_id
  on conflict (list_id, address_id) do nothing`;

/** Updates only memberships that differ. $1 organization, $2 users, $3 lists, $4 addresses, $5 channels, $6 active. */
export const PUT_MEMBERSHIPS = `
  with given as (
    select * from unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::boolean[]) i(user_id, list_id, address_id, channel_id, active)
  ), updated as (
    update members m set channel_id = i.channel_id, active = i.active from given i
    where m.list_id = i.list_id and m.address_id = i.address_id and (m.channel_id, m.active) is distinct from (i.channel_id, i.active)
  )
  insert into members (organization_id, list_id, user_id, address_id, channel_id, active)
  select $1, i.list_id, i.user_id, i.address_id, i.channel_id, i.active from given i
  where not exists (select from members m where m.list_id = i.list_id and m.address_id = i.address_id)
  order by i.list_id, i.user_id
  on conflict (list_id, address_id) do update set channel_id = excluded.channel_id, active = excluded.active`;
