/** Users `u` whose e-mail is none of the keys $2. A set, and no list to compare each row with: there may be a million of both. */
const UNNAMED = 'not exists (select from unnest($2::text[]) named(key) where named.key = u.email_key)';

/** $1 organization. */
export const DELETE_UNNAMED_USERS = `delete from users u where organization_id = $1 and ${UNNAMED}`;

/** $1 list. */
export const DELETE_UNNAMED_MEMBERS = `
  delete from members m using users u where m.list_id = $1 and u.id = m.user_id and ${UNNAMED}`;
