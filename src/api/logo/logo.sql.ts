import { UNREFERENCED } from '../../engine/file/file.sql.js';

/** Serves a file as a logo from now on, and keeps it. A transaction that began earlier may set a later logo. $1: organization, $2: hash. */
export const KEEP_LOGO = `
  update files set logo_since = clock_timestamp() where organization_id = $1 and sha256 = $2 returning id`;

/** Serves only the newest $2 logos of an organization $1. Returns the others. */
export const FORGET_LOGOS = `
  update files set logo_since = null where id = any(array(
    select id from files where organization_id = $1 and logo_since is not null order by logo_since desc, id offset $2))
  returning id`;

/** A trigger or an upload that refers to one at this moment has it locked. The purge deletes it if it is unused later. $1: files. */
export const LOCK_FORGOTTEN = `select id from files where id = any($1::uuid[]) order by id for update skip locked`;

/** Deletes the files that nothing else uses, now that nobody can refer to them any more. $1: files that are locked. */
export const DELETE_FORGOTTEN = `delete from files f where f.id = any($1::uuid[]) and ${UNREFERENCED}`;

/** $1: the slug of the organization, $2: hash. */
export const FIND_LOGO = `
  select f.organization_id "organizationId", f.id from files f join organizations o on o.id = f.organization_id
  where o.slug = $1 and f.sha256 = $2 and f.logo_since is not null`;
