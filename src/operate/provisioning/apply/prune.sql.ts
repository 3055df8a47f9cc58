/** Users `u` whose e-mail is not among the keys $2. `not exists` lets PostgreSQL hash the keys: there may be a million users and keys. */
const NOT_IN_FILE = 'not exists (select from unnest($2::text[]) listed(key) where listed.key = u.email_key)';

/** Counts deleted users and names the first $3 of them. */
const named = (deletion: string) => `
  with deleted as (${deletion} returning u.email)
  select count(*)::int count, coalesce((array_agg(email order by email))[:$3::int], '{}') people from deleted`;

/** $1 organization. */
export const DELETE_USERS_NOT_IN_FILE = named(`delete from users u where organization_id = $1 and ${NOT_IN_FILE}`);

/** $1 list. */
export const DELETE_MEMBERS_NOT_IN_FILE = named(
  `delete from members m using users u where m.list_id = $1 and u.id = m.user_id and ${NOT_IN_FILE}`,
);
