/**
 * The keys of an organization within the reach of the key that asks, in one statement; Prisma would send three.
 * $1: organization, $2 and $3: project and application of the key that asks, or null, $4: after which id, $5: or only which, $6: how many.
 */
export const FIND_API_KEYS = `
  select k.id, k.name, k.permissions, p.slug project, a.slug application, k.created_at "createdAt", k.expires_at "expiresAt",
         k.revoked_at "revokedAt", k.last_used_at "lastUsedAt", k.rate_limit "rateLimit"
  from api_keys k left join projects p on p.id = k.project_id left join applications a on a.id = k.application_id
  where k.organization_id = $1 and k.via is null and ($2::int is null or k.project_id = $2) and ($3::int is null or k.application_id = $3)
    and k.id > $4 and ($5::int is null or k.id = $5)
  order by k.id limit $6`;

/** Every key with its reach, oldest first. $1: slug of an organization; null: the keys of all organizations and of operators. */
export const LIST_API_KEYS = `
  select k.id, k.name, k.permissions, o.slug organization, p.slug project, a.slug application, k.expires_at "expiresAt",
         k.revoked_at "revokedAt", k.last_used_at "lastUsedAt", k.rate_limit "rateLimit"
  from api_keys k
  left join organizations o on o.id = k.organization_id
  left join projects p on p.id = k.project_id
  left join applications a on a.id = k.application_id
  where k.via is null and ($1::text is null or o.slug = $1)
  order by k.id`;
