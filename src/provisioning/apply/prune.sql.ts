/** Users `u` whose e-mail is not among the keys $2. `not exists` lets PostgreSQL hash the keys: there may be a million users and keys. */
const NOT_IN_FILE = 'not exists (select from unnest($2::text[]) listed(key) where listed.key = u.email_key)';

/** $1 organization. */
export const DELETE_USERS_NOT_IN_FILE = `delete from users u where organization_id = $1 and ${NOT_IN_FILE}`;

/** $1 list. */
export const DELETE_MEMBERS_NOT_IN_FILE = `
  delete from members m using users u where m.list_id = $1 and u.id = m.user_id and ${NOT_IN_FILE}`;
