import type { Scope } from '../../auth/scope.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/http/problem.js';

/** The owner of what a project or the organization itself may have, such as channels. Without a project: the organization itself. */
export interface OwnerOfEither {
  organizationId: number;
  projectId: number | null;
}

export const ownerOf = ({ organizationId, projectIdOrNull }: Scope): OwnerOfEither => ({
  organizationId,
  projectId: projectIdOrNull,
});

/** Such rows of an organization change one at a time: one change may refer to a row that another change deletes. */
export async function lockOwner(tx: Transaction, scope: Scope): Promise<void> {
  const { organizationId, projectId } = ownerOf(scope);
  const [organization] = await lockRows(tx, 'organizations', [organizationId], 'no key update');
  if (!organization) throw notFound('organization');
  if (projectId !== null && !(await lockRows(tx, 'projects', [projectId], 'key share')).length)
    throw notFound('project');
}
