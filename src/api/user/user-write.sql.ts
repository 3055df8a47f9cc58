/*
 * Statements that add rows skip existing ones before `on conflict`, because a row that `on conflict` refuses has already used up an id.
 * `on conflict` is for races only.
 */

/**
 * Users by column: keys of e-mails, e-mails, first names, last names, locked, custom fields, time zones, quiet hours, locales. Null: not
 * given. An empty time zone or locale, and quiet hours that are JSON null: those of the organization.
 */
const USERS = `unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::jsonb[], $8::text[], $9::jsonb[], $10::text[])
                 i(email_key, email, first_name, last_name, locked, custom_fields, time_zone, quiet_hours, locale)`;

/** $1 organization, then USERS. */
export const CREATE_USERS = `
  insert into users (organization_id, email, email_key, first_name, last_name, locked, custom_fields, time_zone, quiet_hours, locale)
  select $1, email, email_key, coalesce(first_name, ''), coalesce(last_name, ''), coalesce(locked, false), coalesce(custom_fields, '{}'),
         nullif(time_zone, ''), nullif(quiet_hours, 'null'), nullif(locale, '')
  from ${USERS}
  where not exists (select from users u where u.organization_id = $1 and u.email_key = i.email_key)
  on conflict (organization_id, email_key) do nothing`;

/**
 * A session keeps the plans of its foreign keys. One that was made for a few users reads the whole table, for each address and member that
 * is added: 11 s for 10,000 users instead of 0.3 s.
 */
export const FORGET_PLANS = 'discard plans';

const TIME_ZONE = `case when i.time_zone is null then u.time_zone else nullif(i.time_zone, '') end`;
const QUIET_HOURS = `case when i.quiet_hours is null then u.quiet_hours else nullif(i.quiet_hours, 'null') end`;

const LOCALE = `case when i.locale is null then u.locale else nullif(i.locale, '') end`;

const CUSTOM_FIELDS = 'coalesce(i.custom_fields, u.custom_fields)';

/** $1 organization, then USERS. Updates only users that differ. */
export const UPDATE_USERS = `
  update users u set
    first_name = coalesce(i.first_name, u.first_name), last_name = coalesce(i.last_name, u.last_name),
    locked = coalesce(i.locked, u.locked), custom_fields = ${CUSTOM_FIELDS}, time_zone = ${TIME_ZONE}, quiet_hours = ${QUIET_HOURS},
    locale = ${LOCALE}
  from ${USERS}
  where u.organization_id = $1 and u.email_key = i.email_key
    and (u.first_name, u.last_name, u.locked, u.custom_fields, u.time_zone, u.quiet_hours, u.locale) is distinct from
        (coalesce(i.first_name, u.first_name), coalesce(i.last_name, u.last_name), coalesce(i.locked, u.locked), ${CUSTOM_FIELDS},
         ${TIME_ZONE}, ${QUIET_HOURS}, ${LOCALE})
    and i.email is not null`;

/** The users whose time zone or quiet hours will change. $1 organization, $2 keys of e-mails, $3 time zones, $4 quiet hours, as in USERS. */
export const CHANGED_CLOCKS = `
  select u.id from unnest($2::text[], $3::text[], $4::jsonb[]) i(email_key, time_zone, quiet_hours)
  join users u on u.organization_id = $1 and u.email_key = i.email_key
  where (u.time_zone, u.quiet_hours) is distinct from (${TIME_ZONE}, ${QUIET_HOURS})`;

const STORED_USER =
  'u.id, u.email, u.first_name "firstName", u.last_name "lastName", u.locked, u.custom_fields "customFields"';

/** The same for one user, and returns the user; no row: nothing differs. */
export const UPDATE_USER = `${UPDATE_USERS} returning ${STORED_USER}`;

/** The user cannot be changed by others before the transaction ends. $1 user, $2 organization. */
export const LOCK_USER = `select ${STORED_USER} from users u where u.id = $1 and u.organization_id = $2 for no key update`;

/** The user cannot be deleted before the transaction ends. $1 user, $2 organization. */
export const KEEP_USER = 'select email from users where id = $1 and organization_id = $2 for key share';

/** $1 organization, $2 keys of e-mails. */
export const LOCK_CUSTOM_FIELDS = `
  select email_key "key", custom_fields fields from users
  where organization_id = $1 and email_key = any($2::text[]) order by email_key for no key update`;

/** Every user has their e-mail as an address. $1 organization, $2 keys of e-mails. */
export const ADD_EMAIL_ADDRESSES = `
  insert into addresses (organization_id, user_id, name, value)
  select organization_id, id, 'email', email from users u
  where organization_id = $1 and email_key = any($2::text[])
    and not exists (select from addresses a where a.user_id = u.id and a.name = 'email' and a.value = u.email)
  order by id
  on conflict (user_id, name, value) do nothing`;

/** In the given order: messages use the oldest address of their kind. $1 organization, $2 keys of e-mails, $3 names, $4 values. */
export const ADD_ADDRESSES = `
  insert into addresses (organization_id, user_id, name, value)
  select u.organization_id, u.id, i.name, i.value
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality i(email_key, name, value, place)
  join users u on u.organization_id = $1 and u.email_key = i.email_key
  where not exists (select from addresses a where a.user_id = u.id and a.name = i.name and a.value = i.value)
  order by u.id, i.place
  on conflict (user_id, name, value) do nothing`;
