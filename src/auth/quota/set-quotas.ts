import type { Quotas } from '../../platform/config/quota.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';
import { changedQuotas } from './changed-quotas.js';
import type { QuotaChanges } from './changed-quotas.js';

/** Changes an organization's own quotas, and returns them; null: the organization is gone. The caller checks the bounds. */
export async function setQuotas(
  tx: SqlTransaction,
  organizationId: number,
  changes: QuotaChanges,
): Promise<Partial<Quotas> | null> {
  const lock = 'select quotas from organizations where id = $1 for no key update';
  const [row] = await tx.$queryRawUnsafe<{ quotas: Partial<Quotas> }[]>(lock, organizationId);
  if (!row) return null;
  const quotas = changedQuotas(row.quotas, changes);
  const update = 'update organizations set quotas = $2::jsonb where id = $1';
  await tx.$executeRawUnsafe(update, organizationId, JSON.stringify(quotas));
  return quotas;
}
