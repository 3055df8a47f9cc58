import type { ClientBase, Pool } from 'pg';

/** Gives each event of an organization a draft of a new notification, and answers the name of these drafts. */
export async function addDraft(client: Pick<Pool | ClientBase, 'query'>, org: string, name = 'new'): Promise<string> {
  const sql = `
    insert into drafts (organization_id, event_id, name, notification, saved_by)
    select o.id, e.id, $2, '{"name": "Begun"}', 'ann' from organizations o join events e on e.organization_id = o.id where o.slug = $1`;
  await client.query(sql, [org, name]);
  return name;
}
