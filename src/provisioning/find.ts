import type { ClientBase } from 'pg';
import { listKey } from '../distribution-list/list-key.js';
import { ProvisioningError } from './file.js';

export interface ListPlace {
  org: string;
  project: string;
  list: string;
}

/** The id of an organization that a command names. */
export async function findOrganization(client: ClientBase, slug: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>('select id from organizations where slug = $1', [slug]);
  if (!rows[0]) throw new ProvisioningError([`there is no organization ${slug}`]);
  return rows[0].id;
}

export async function findList(client: ClientBase, organizationId: number, { project, list }: ListPlace) {
  const { rows } = await client.query<{ listId: number; projectId: number }>(
    `select l.id "listId", p.id "projectId" from projects p join distribution_lists l on l.project_id = p.id
     where p.organization_id = $1 and p.slug = $2 and l.name_key = $3`,
    [organizationId, project, listKey(list)],
  );
  if (!rows[0]) throw new ProvisioningError([`there is no distribution list ${list} in the project ${project}`]);
  return rows[0];
}
