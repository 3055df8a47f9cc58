import { listKey } from '../../api/distribution-list/list-key.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ProvisioningError } from './file.js';

export interface ListOwner {
  org: string;
  project: string;
  list: string;
}

/** The id of the organization with this slug. */
export async function findOrganization(tx: Transaction, slug: string): Promise<number> {
  const row = await tx.organization.findUnique({ where: { slug }, select: { id: true } });
  if (!row) throw new ProvisioningError([`there is no organization ${slug}`]);
  return row.id;
}

export async function findList(tx: Transaction, organizationId: number, { project, list }: ListOwner) {
  const row = await tx.distributionList.findFirst({
    where: { project: { organizationId, slug: project }, nameKey: listKey(list) },
    select: { id: true, projectId: true },
  });
  if (!row) throw new ProvisioningError([`there is no distribution list ${list} in the project ${project}`]);
  return { listId: row.id, projectId: row.projectId };
}
