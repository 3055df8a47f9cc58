import type { ClientBase, Pool } from 'pg';

/** Suppresses an address of an organization, and answers the id of the suppression. */
export async function suppress(client: Pick<Pool | ClientBase, 'query'>, org: string, value = 'gone@acme.test') {
  const sql = `insert into suppressions (organization_id, name, value, value_key, cause)
    select id, 'email', $2, lower($2), 'manual' from organizations where slug = $1 returning id`;
  return ((await client.query(sql, [org, value])) as { rows: { id: number }[] }).rows[0]!.id;
}
