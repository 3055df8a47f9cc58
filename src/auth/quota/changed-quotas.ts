import { QUOTA_NAMES } from '../../platform/config/quota.js';
import type { QuotaName, Quotas } from '../../platform/config/quota.js';

/** Null: the default of the service again. */
export type QuotaChanges = Partial<Record<QuotaName, number | null>>;

/** An organization's own quotas after a change. Undefined quotas keep their values. */
export function changedQuotas(before: Partial<Quotas>, changes: QuotaChanges): Partial<Quotas> {
  const quotas: Partial<Quotas> = {};
  for (const name of QUOTA_NAMES) {
    const value = changes[name] === undefined ? before[name] : changes[name];
    if (value !== undefined && value !== null) quotas[name] = value;
  }
  return quotas;
}
