import { QUOTAS } from '../../platform/config/quota.js';
import type { QuotaName, Quotas } from '../../platform/config/quota.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { renewRulesets } from '../notification/renew-ruleset.js';
import { FIND_EVENTS_WITH_SHARED } from './layout.sql.js';

/** The settings of an organization that layouts show. */
const BRAND_FIELDS = ['logo', 'color', 'address', 'links'];

/** A brand has at most a few KB, so that it exceeds no quota by itself. */
const MOST = Object.fromEntries(Object.entries(QUOTAS).map(([name, { max }]) => [name, max])) as Record<
  QuotaName,
  number
>;

/**
 * Gives the events whose templates have a layout or partials new rulesets, if the brand is among the changed fields. Throws a 409 if these are more
 * than `maxEvents`.
 */
export async function renewBrand(
  tx: Transaction,
  organizationId: number,
  changed: readonly string[],
  maxEvents?: number,
): Promise<void> {
  if (!changed.some((field) => BRAND_FIELDS.includes(field))) return;
  const events = await tx.$queryRawUnsafe<{ id: number }[]>(FIND_EVENTS_WITH_SHARED, organizationId);
  const ids = events.map(({ id }) => id);
  await renewRulesets(tx, ids, MOST satisfies Quotas, maxEvents);
}
