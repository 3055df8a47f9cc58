/** Serves a file as a logo from now on, and keeps it. $1: organization, $2: hash. */
export const KEEP_LOGO = `update files set logo_since = now() where organization_id = $1 and sha256 = $2 returning id`;

/** Serves only the newest $2 logos of an organization $1. The purge deletes the others, unless something else uses them. */
export const FORGET_LOGOS = `
  update files set logo_since = null where id = any(array(
    select id from files where organization_id = $1 and logo_since is not null order by logo_since desc, id offset $2))`;

/** $1: the slug of the organization, $2: hash. */
export const FIND_LOGO = `
  select f.organization_id "organizationId", f.id from files f join organizations o on o.id = f.organization_id
  where o.slug = $1 and f.sha256 = $2 and f.logo_since is not null`;
