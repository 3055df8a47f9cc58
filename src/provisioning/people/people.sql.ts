/** Users by column: keys of e-mails, e-mails, first names, last names, locked, custom fields. Null: not said. */
const USERS = `unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::jsonb[])
                 i(email_key, email, first_name, last_name, locked, custom_fields)`;

/** $1 organization, then USERS. */
export const CREATE_USERS = `
  insert into users (organization_id, email, email_key, first_name, last_name, locked, custom_fields)
  select $1, email, email_key, coalesce(first_name, ''), coalesce(last_name, ''), coalesce(locked, false), coalesce(custom_fields, '{}')
  from ${USERS}
  where not exists (select from users u where u.organization_id = $1 and u.email_key = i.email_key)
  on conflict (organization_id, email_key) do nothing`;

const updateUsers = (customFields: string) => `
  update users u set
    first_name = coalesce(i.first_name, u.first_name), last_name = coalesce(i.last_name, u.last_name),
    locked = coalesce(i.locked, u.locked), custom_fields = ${customFields}
  from ${USERS}
  where u.organization_id = $1 and u.email_key = i.email_key
    and (u.first_name, u.last_name, u.locked, u.custom_fields) is distinct from
        (coalesce(i.first_name, u.first_name), coalesce(i.last_name, u.last_name), coalesce(i.locked, u.locked), ${customFields})
    and i.email is not null`;

/** $1 organization, then USERS. Only users that differ. */
export const UPDATE_USERS = updateUsers('coalesce(i.custom_fields, u.custom_fields)');

/** The same, but keeps custom fields that the entry does not name. */
export const MERGE_USERS = updateUsers('coalesce(u.custom_fields || i.custom_fields, u.custom_fields)');

/** $1 organization, $2 keys of e-mails, $3 names, $4 values. */
export const ADD_ADDRESSES = `
  insert into addresses (organization_id, user_id, name, value)
  select u.organization_id, u.id, i.name, i.value
  from unnest($2::text[], $3::text[], $4::text[]) i(email_key, name, value)
  join users u on u.organization_id = $1 and u.email_key = i.email_key
  where not exists (select from addresses a where a.user_id = u.id and a.name = i.name and a.value = i.value)
  on conflict (user_id, name, value) do nothing`;

/** $1 list, $2 keys of e-mails, $3 channels, $4 active, $5 organization. */
export const UPDATE_MEMBERS = `
  update members m set channel_id = coalesce(i.channel_id, m.channel_id), active = coalesce(i.active, m.active)
  from unnest($2::text[], $3::int[], $4::boolean[]) i(email_key, channel_id, active)
  join users u on u.email_key = i.email_key and u.organization_id = $5
  where m.list_id = $1 and m.user_id = u.id
    and (m.channel_id, m.active) is distinct from (coalesce(i.channel_id, m.channel_id), coalesce(i.active, m.active))`;
