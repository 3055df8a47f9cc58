import type { ClientBase } from 'pg';
import type { Recipients } from './recipients.js';

interface Target {
  organizationId: number;
  listId: number;
}

/**
 * Makes the e-mails members of the list, and users of the organization where they are none yet. Four set-based statements
 * whatever the number; the caller's transaction makes them one. Null when the list has gone.
 *
 * What exists is left out before `on conflict`, which is for races only: a refused row has used up an id.
 */
export async function addMembers(
  client: ClientBase,
  { organizationId, listId }: Target,
  { emails, keys }: Recipients,
): Promise<{ added: number; createdUsers: number } | null> {
  const list = await client.query(
    'select from distribution_lists where id = $1 and organization_id = $2 for key share',
    [listId, organizationId],
  );
  if (!list.rowCount) return null;
  const users = await client.query(
    `insert into users (organization_id, email, email_key)
     select $1, email, key from unnest($2::text[], $3::text[]) r(email, key)
     where not exists (select from users u where u.organization_id = $1 and u.email_key = r.key)
     on conflict (organization_id, email_key) do nothing`,
    [organizationId, emails, keys],
  );
  await client.query(
    `insert into addresses (organization_id, user_id, name, value)
     select organization_id, id, 'email', email from users u
     where organization_id = $1 and email_key = any($2::text[])
       and not exists (select from addresses a where a.user_id = u.id and a.name = 'email' and a.value = u.email)
     order by id
     on conflict (user_id, name, value) do nothing`,
    [organizationId, keys],
  );
  const members = await client.query(
    `insert into members (organization_id, list_id, user_id, address_id)
     select u.organization_id, $2, u.id, a.id
     from users u join addresses a on a.user_id = u.id and a.name = 'email' and a.value = u.email
     where u.organization_id = $1 and u.email_key = any($3::text[])
       and not exists (select from members m where m.list_id = $2 and m.address_id = a.id)
     order by u.id
     on conflict (list_id, address_id) do nothing`,
    [organizationId, listId, keys],
  );
  return { added: members.rowCount ?? 0, createdUsers: users.rowCount ?? 0 };
}
