import { IS_LIVE, SESSIONS } from '../../auth/scope.sql.js';

/**
 * A key, session or link and the key of a session, as rows, and the slug of its organization. $1: its hash. Not those of an organization that has
 * moved away, whose rows are deleted later; the caller checks that.
 */
export const FIND_BY_HASH = `
  select k.id, k.organization_id "organizationId", o.slug, row_to_json(k) "row", row_to_json(r) parent,
         coalesce(r.permissions, k.permissions) permissions, case when k.via is null then k.expires_at else r.expires_at end "lastsUntil",
         (k.via is null or ${IS_LIVE}) is true "isLive"
  from ${SESSIONS} left join organizations o on o.id = k.organization_id
  where k.hash = decode($1, 'hex')`;

/** Only where it lives: which of the cells has to answer. $1: hash. */
export const LOCATE = `select id, organization_id "organizationId" from api_keys where hash = decode($1, 'hex')`;

/** Stores keys of operators that another cell has created, or brings them up to date. $1: rows of api_keys as JSON. */
export const COPY_KEYS = `
  insert into api_keys
  select * from json_populate_recordset(null::api_keys, $1::json)
  on conflict (id) do update
  set name = excluded.name, permissions = excluded.permissions, hash = excluded.hash, expires_at = excluded.expires_at,
      revoked_at = excluded.revoked_at, rate_limit = excluded.rate_limit,
      last_used_at = greatest(api_keys.last_used_at, excluded.last_used_at)
  where (api_keys.name, api_keys.permissions, api_keys.hash, api_keys.expires_at, api_keys.revoked_at, api_keys.rate_limit)
    is distinct from (excluded.name, excluded.permissions, excluded.hash, excluded.expires_at, excluded.revoked_at, excluded.rate_limit)
    or excluded.last_used_at > api_keys.last_used_at`;

/** The copies in this database. $1 and $2: the first and the last id of this cell. */
export const LIST_COPIES = `
  select id, last_used_at "lastUsedAt" from api_keys where organization_id is null and (id < $1 or id > $2) order by id`;

/** $1: ids. Not keys of an organization, which has moved here with them. */
export const DELETE_COPIES = 'delete from api_keys where id = any($1::int[]) and organization_id is null';

/** A session ends after some hours without a request: those in other cells count. $1: ids, $2: times. */
export const TOUCH_ORIGINALS = `
  update api_keys k set last_used_at = t.at from unnest($1::int[], $2::timestamptz[]) t(id, at)
  where k.id = t.id and k.organization_id is null and (k.last_used_at is null or k.last_used_at < t.at)`;

/** $1: ids. */
export const FIND_ORIGINALS = `select row_to_json(k) "row" from api_keys k where id = any($1::int[]) and organization_id is null`;
