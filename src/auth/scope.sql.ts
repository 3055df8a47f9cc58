// A subquery uses the index at all times. A join that was planned while the table was empty reads all of it for each look-up.
const STORED_BYTES = `coalesce((select stored_bytes from organization_usage s where s.organization_id = o.id), 0)::float8`;

/**
 * Resolves the key and the whole path in one statement. Each join stays within the reach of the key, so all other code sees a foreign
 * resource exactly like a missing one. $1: hash of the key, $2 to $5: organization, project, application and event.
 */
const resolve = (leafIds: string, leaves: string, { columns, from, where }: Credential) => `
  select k.id key_id, k.name key_name, ${columns}, k.hash, k.expires_at, k.revoked_at, k.rate_limit, k.rate_limit_of,
         k.organization_id key_organization_id, k.project_id key_project_id, k.application_id key_application_id,
         o.id "organizationId", p.id "projectId", a.id "applicationId", e.id "eventId", ${leafIds},
         o.quotas, ${STORED_BYTES} stored_bytes, e.resolves_event
  from ${from}
  left join organizations o on o.slug = $2 and (k.organization_id is null or o.id = k.organization_id)
  left join projects p on p.organization_id = o.id and p.slug = $3 and (k.project_id is null or p.id = k.project_id)
  left join applications a on a.project_id = p.id and a.slug = $4 and (k.application_id is null or a.id = k.application_id)
  left join events e on e.application_id = a.id and e.slug = $5
  ${leaves}
  where k.hash = $1 and ${where}`;

interface Credential {
  columns: string;
  from: string;
  where: string;
}

/** Sessions `k` with their keys `r`. */
export const SESSIONS = 'api_keys k left join api_keys r on r.id = k.parent_id';

/** A session ends this long after it began. */
export const SESSION_DAYS = 7;

/** A key, not a session, that may still be used. */
export const isValidKey = (k: string): string =>
  `${k}.via is null and ${k}.revoked_at is null and (${k}.expires_at is null or ${k}.expires_at > now())`;

/** A session ends with its key, after 12 hours without a request, and when it expires. */
export const IS_LIVE = `k.expires_at > now() and k.last_used_at > now() - interval '12 hours'
  and (k.parent_id is null or ${isValidKey('r')})`;

const KEY: Credential = {
  columns: 'k.permissions, k.expires_at lasts_until, null via, null parent_id',
  from: 'api_keys k',
  where: 'k.via is null',
};

/** A session may do what its key may do, and creates keys that last as long as its key. */
const SESSION: Credential = {
  columns: 'coalesce(r.permissions, k.permissions) permissions, r.expires_at lasts_until, k.via, k.parent_id',
  from: SESSIONS,
  // Not as `is not null`: PostgreSQL would read the index of all sessions while there are few, and keep that plan when there are many.
  where: `coalesce(k.via, '') <> '' and ${IS_LIVE}`,
};

/** For a path that ends with an event or above it, such as that of each trigger. Without the joins it costs less than half. */
const resolveBranch = (credential: Credential) =>
  resolve('null "userId", null "listId", null "occurrenceId"', '', credential);

/** For a path that may name a user, a distribution list or an occurrence. $6: key of the user's e-mail, $7: list, $8: occurrence. */
const resolveLeaf = (credential: Credential) =>
  resolve(
    'u.id "userId", l.id "listId", c.id "occurrenceId"',
    `left join users u on u.organization_id = o.id and u.email_key = $6
  left join distribution_lists l on l.project_id = p.id and l.id = $7
  left join lateral (
    select c.id from occurrences c join events ce on ce.id = c.event_id join applications ca on ca.id = ce.application_id
    where c.id = $8 and c.organization_id = o.id
      and (k.project_id is null or ca.project_id = k.project_id) and (k.application_id is null or ca.id = k.application_id)
  ) c on true`,
    credential,
  );

export const RESOLVE_BRANCH = resolveBranch(KEY);
export const RESOLVE_LEAF = resolveLeaf(KEY);
export const RESOLVE_SESSION_BRANCH = resolveBranch(SESSION);
export const RESOLVE_SESSION_LEAF = resolveLeaf(SESSION);

/** The keys and sessions among these that may still be used, with their permissions and their project. $1: ids. */
export const VALID_KEYS = `
  select k.id, coalesce(r.permissions, k.permissions) permissions, k.project_id "projectId" from ${SESSIONS}
  where k.id = any($1::int[]) and (k.via is not null and ${IS_LIVE} or ${isValidKey('k')})`;

/** $1: keys. */
export const TOUCH_API_KEYS = `
  update api_keys set last_used_at = now()
  where id = any($1::int[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

/**
 * $1, $2, $3: organization, project and application, or null, $4: name, $5: permissions, $6: hash in hexadecimal digits, $7: when it expires,
 * $8: rate limit, $9: the key that it shares the limit with.
 */
export const INSERT_API_KEY = `
  insert into api_keys (organization_id, project_id, application_id, name, permissions, hash, expires_at, rate_limit, rate_limit_of)
  values ($1, $2, $3, $4, $5::text[], decode($6, 'hex'), $7::timestamptz, $8, $9) returning id`;

/** $1: key. */
export const REVOKE_API_KEY =
  'update api_keys set revoked_at = now() where id = $1 and revoked_at is null and via is null';
