import type { Quotas } from '../config/quota.js';
import { lockRows } from '../prisma/transaction.js';
import type { Transaction } from '../prisma/transaction.js';
import { changedQuotas } from './changed-quotas.js';
import type { QuotaChanges } from './changed-quotas.js';

/** Changes an organization's own quotas, and returns them. The caller checks the bounds. */
export async function setQuotas(
  tx: Transaction,
  organizationId: number,
  changes: QuotaChanges,
): Promise<Partial<Quotas>> {
  await lockRows(tx, 'organizations', [organizationId], 'no key update');
  const where = { id: organizationId };
  const row = await tx.organization.findUniqueOrThrow({ where, select: { quotas: true } });
  const quotas = changedQuotas(row.quotas as Partial<Quotas>, changes);
  await tx.organization.update({ where, data: { quotas }, select: { id: true } });
  return quotas;
}
