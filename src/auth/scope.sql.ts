// Resolves the key and the whole path in one statement. Each join stays within the reach of the key, so all other code sees a foreign
// resource exactly like a missing one.
export const RESOLVE = `
  select k.id key_id, k.name key_name, k.permissions, k.hash, k.expires_at, k.revoked_at, k.rate_limit, k.rate_limit_of,
         k.organization_id key_organization_id, k.project_id key_project_id, k.application_id key_application_id,
         o.id "organizationId", p.id "projectId", a.id "applicationId", e.id "eventId", u.id "userId", l.id "listId", c.id "occurrenceId",
         o.quotas, coalesce(s.stored_bytes, 0)::float8 stored_bytes
  from api_keys k
  left join organizations o on o.slug = $2 and (k.organization_id is null or o.id = k.organization_id)
  left join organization_usage s on s.organization_id = o.id
  left join projects p on p.organization_id = o.id and p.slug = $3 and (k.project_id is null or p.id = k.project_id)
  left join applications a on a.project_id = p.id and a.slug = $4 and (k.application_id is null or a.id = k.application_id)
  left join events e on e.application_id = a.id and e.slug = $5
  left join users u on u.organization_id = o.id and u.email_key = $6
  left join distribution_lists l on l.project_id = p.id and l.id = $7
  left join lateral (
    select c.id from occurrences c join events ce on ce.id = c.event_id join applications ca on ca.id = ce.application_id
    where c.id = $8 and c.organization_id = o.id
      and (k.project_id is null or ca.project_id = k.project_id) and (k.application_id is null or ca.id = k.application_id)
  ) c on true
  where k.hash = $1`;

/** The keys of open streams that may still be used. $1: keys. */
export const VALID_KEYS = `
  select id, permissions from api_keys where id = any($1) and revoked_at is null and (expires_at is null or expires_at > now())`;

/** $1: keys. */
export const TOUCH_API_KEYS = `
  update api_keys set last_used_at = now()
  where id = any($1::int[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
