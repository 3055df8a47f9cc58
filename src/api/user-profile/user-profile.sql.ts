import { jsonBytes, nextRows, withinBytes } from '../../platform/database/next-rows.js';

/** $1 organization, $2 keys of e-mails. */
export const IDS_OF_USERS = `
  select id, email_key "key", email from users where organization_id = $1 and email_key = any($2::text[]) order by id`;

/** A device keeps its address until it is removed itself: who writes the addresses of a user does not know those of devices. */
const OF_DEVICE = 'exists (select from devices v where v.address_id = a.id)';

/** The addresses of users that are neither their e-mail, nor of a device, nor among the given ones. $2 users; by column: $3 users, $4 names, $5 values. */
const OTHER_ADDRESSES = `a.organization_id = $1 and a.user_id = any($2::int[])
    and not exists (select from users u where u.id = a.user_id and a.name = 'email' and a.value = u.email)
    and not ${OF_DEVICE}
    and not exists (select from unnest($3::int[], $4::text[], $5::text[]) i(user_id, name, value)
                    where i.user_id = a.user_id and i.name = a.name and i.value = a.value)`;

/** Those that a list uses, one of each user. $1 organization, then as above. */
export const USED_ADDRESSES = `
  select distinct on (a.user_id) a.user_id "userId", a.name, a.value, l.name list
  from addresses a join members m on m.user_id = a.user_id and m.address_id = a.id join distribution_lists l on l.id = m.list_id
  where ${OTHER_ADDRESSES} order by a.user_id, a.id, m.id`;

/** $1 organization, then as above. */
export const REMOVE_ADDRESSES = `delete from addresses a where ${OTHER_ADDRESSES}`;

const PROFILE = `
  u.id, u.email, u.first_name "firstName", u.last_name "lastName", u.locked, u.custom_fields "customFields",
         u.time_zone "timeZone", u.quiet_hours "quietHours", u.locale,
         coalesce((select json_agg(json_build_object('name', a.name, 'value', a.value) order by a.id)
                   from addresses a where a.user_id = u.id and (a.name, a.value) <> ('email', u.email) and not ${OF_DEVICE}), '[]') addresses`;

/** $1 organization, $2 key of the e-mail. */
export const GET_PROFILE = `select ${PROFILE} from users u where u.organization_id = $1 and u.email_key = $2`;

/** In the order of the ids. $1 organization, $2 ids of users. */
export const PROFILES_OF = withinBytes(
  `select ${PROFILE}, ${jsonBytes('u.custom_fields')} bytes
   from unnest($2::int[]) with ordinality found(id, number) join users u on u.id = found.id
   where u.organization_id = $1 order by found.number`,
);

/** See `nextRows`. */
export const LIST_PROFILES = withinBytes(
  `select ${PROFILE}, ${jsonBytes('u.custom_fields')} bytes from users u where ${nextRows('organization_id')}`,
);

/** The same, and nobody else changes the user before the transaction ends. */
export const LOCK_PROFILE = `${GET_PROFILE} for no key update of u`;

/** $1 user, $2 organization. */
export const MEMBERSHIPS = `
  select p.slug project, l.name distribution_list, json_build_object('name', a.name, 'value', a.value) address, c.slug channel, m.active
  from members m join distribution_lists l on l.id = m.list_id join projects p on p.id = l.project_id
  join addresses a on a.id = m.address_id left join channels c on c.id = m.channel_id
  where m.user_id = $1 and m.organization_id = $2 order by p.slug, l.name_key, a.id`;
