import type { ClientBase, Pool } from 'pg';

/** Gives an organization a signing secret that signs nothing, and answers its id. */
export async function addSigningSecret(client: Pick<Pool | ClientBase, 'query'>, org: string): Promise<number> {
  const sql = `insert into signing_secrets (organization_id, kid, name, secret)
    select id, gen_random_uuid()::text, 'web', 'v1.none.none' from organizations where slug = $1 returning id`;
  return ((await client.query(sql, [org])) as { rows: { id: number }[] }).rows[0]!.id;
}
