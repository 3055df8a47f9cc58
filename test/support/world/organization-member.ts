import type { ClientBase, Pool } from 'pg';

/** A colleague of an organization who may only read. */
export async function addMember(client: Pick<Pool | ClientBase, 'query'>, org: string, email: string): Promise<void> {
  const sql = `insert into organization_members (organization_id, email, email_key, role, invited_by)
    select id, $2, $2, 'viewer', 'test' from organizations where slug = $1`;
  await client.query(sql, [org, email]);
}
