import { allKeysOf } from '../../platform/field/email.js';

/** Why the provider of a device `d` with the address `a` has refused it; null: it has not. */
const PROBLEM = `coalesce(d.problem, (
    select coalesce(s.evidence->>'answer', 'refused') from suppressions s
    where s.organization_id = a.organization_id and s.name = a.name and s.value_key = any(${allKeysOf('a.value', 'a.organization_id')})
      and s.cause = 'hard_bounce' and (s.expires_at is null or s.expires_at > now())
    order by s.id limit 1))`;

const DEVICE = `
  select a.id, coalesce(d.app, 'webpush') app, coalesce(d.device, a.id::text) device, coalesce(d.platform, 'web') platform, d.environment,
         a.name "addressKind", coalesce(d.name, '') name, d.locale, d.time_zone "timeZone", coalesce(d.app_version, '') "appVersion",
         d.created_at "createdAt", d.last_seen_at "lastSeenAt", ${PROBLEM} problem
  from addresses a left join devices d on d.address_id = a.id`;

/**
 * Browsers that were added as addresses are devices too. `+ 0` forces the index of the user's addresses. $1: user, $2: organization, $3: after this
 * address, $4: how many.
 */
export const LIST_DEVICES = `${DEVICE}
  where a.user_id = $1 and a.organization_id = $2 and a.id > $3 and (d.id is not null or a.name = 'webpush') order by a.id + 0 limit $4`;

/** $1: user, $2: organization, $3: app, $4: device. */
export const GET_DEVICE = `${DEVICE} where d.user_id = $1 and d.organization_id = $2 and d.app = $3 and d.device = $4`;

/**
 * Most registrations are this: nothing has moved. Locks the address before the device, as a deletion does. No row: it is another user's, has another
 * address, or is new. $1: organization, $2: user, $3: app, $4: device, $5: hash of the address, $6 to $11: fields.
 */
export const REFRESH_DEVICE = `
  with held as materialized (
    select a.id address_id, d.id device_id from devices d join addresses a on a.id = d.address_id
    where d.organization_id = $1 and d.app = $3 and d.device = $4 and d.user_id = $2 and d.address_hash = decode($5, 'hex')
    for no key update of a
  ), seen as (
    update addresses a set seen_at = now() from held where a.id = held.address_id returning a.id
  )
  update devices d set platform = $6, environment = $7, name = $8, locale = $9, time_zone = $10, app_version = $11, last_seen_at = now(),
    problem = null
  from held join seen on seen.id = held.address_id
  where d.id = held.device_id
  returning d.id`;

/**
 * Registrations that move something wait for each other within an organization: they take from several users, in any order. Without it two of them
 * could delete each other's rows, or leave a user with 21 devices. $1: organization.
 */
export const LOCK_DEVICES = 'select pg_advisory_xact_lock(7261024, $1)';

/** Addresses `a` that are the same as that of the device. $1: organization, $5: kind, $6: `patternOf` the address. */
const SAME_ADDRESS = `a.organization_id = $1 and a.name = $5 and lower(a.value) like lower($6) and a.value like $6`;

/** The user's row in `addresses` that the device goes on with, if there is one. $2: user, $3: app, $4: device, then as above. */
export const OWN_ADDRESS = `
  select a.id from addresses a where a.user_id = $2 and ${SAME_ADDRESS}
  union all
  select * from (
    select a.id from devices d join addresses a on a.id = d.address_id
    where d.organization_id = $1 and d.app = $3 and d.device = $4 and d.user_id = $2 and a.name = $5
      and not exists (select from addresses a where a.user_id = $2 and ${SAME_ADDRESS})
  ) own
  limit 1`;

/**
 * Takes the device and its address from whoever has them: a message that waits for an address that is gone is never sent. So the rows of other users are
 * deleted, not moved. Also deletes the devices of the user that are too many. $7: own address or null, $8: the most devices beside this one.
 */
export const RELEASE_DEVICE = `
  delete from addresses where id is distinct from $7::int and id = any(array(
    select a.id from addresses a where ${SAME_ADDRESS}
    union
    select d.address_id from devices d where d.organization_id = $1 and d.app = $3 and d.device = $4
    union
    (select d.address_id from devices d
     where d.user_id = $2 and d.organization_id = $1 and (d.app, d.device) <> ($3, $4) and d.address_id is distinct from $7::int
     order by d.last_seen_at desc, d.id desc offset $8::int)))`;

/** The same push address under another id of the device. $1: organization, $2: app, $3: device, $4: the address. */
export const REPLACE_DEVICE =
  'delete from devices where address_id = $4 and organization_id = $1 and (app, device) <> ($2, $3)';

/** $1: own address, $2: kind, $3: value. */
export const CHANGE_ADDRESS = 'update addresses set name = $2, value = $3, seen_at = now() where id = $1';

/** $1: organization, $2: user, $3: kind, $4: value. */
export const ADD_ADDRESS = `
  insert into addresses (organization_id, user_id, name, value, seen_at) values ($1, $2, $3, $4, now()) returning id`;

/** $1: organization, $2: user, $3: app, $4: device, $5: hash of the address in hexadecimal digits, $6 to $11: fields, $12: the address. */
export const PUT_DEVICE = `
  insert into devices (organization_id, user_id, app, device, address_hash, platform, environment, name, locale, time_zone, app_version, address_id)
  values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8, $9, $10, $11, $12)
  on conflict (organization_id, app, device) do update
    set address_hash = excluded.address_hash, platform = excluded.platform, environment = excluded.environment, name = excluded.name, locale = excluded.locale,
        time_zone = excluded.time_zone, app_version = excluded.app_version, address_id = excluded.address_id, last_seen_at = now(),
        problem = null`;

/**
 * The device shows that it is alive, which is newer than its provider's word. If the provider refuses the address again, it is suppressed again.
 * $1: organization, $2: kind, $3: value.
 */
export const LIFT_REFUSAL = `
  delete from suppressions where organization_id = $1 and name = $2 and value_key = any(${allKeysOf('$3::text', '$1')}) and cause = 'hard_bounce'`;

/** The address of a device. $1: user, $2: organization, $3: app, $4: device. */
export const ADDRESS_OF_DEVICE = `
  select address_id id from devices where user_id = $1 and organization_id = $2 and app = $3 and device = $4`;

/** A browser that was added as an address. $1: user, $2: organization, $3: the id as it is listed. */
export const ADDRESS_OF_BROWSER = `
  select a.id from addresses a
  where a.user_id = $1 and a.organization_id = $2 and a.name = 'webpush' and a.id::text = $3
    and not exists (select from devices d where d.address_id = a.id)`;

/** $1: the address, $2: organization. */
export const DELETE_ADDRESS = 'delete from addresses where id = $1 and organization_id = $2';
