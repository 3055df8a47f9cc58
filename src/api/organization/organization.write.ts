import type { Quotas } from '../../platform/config/quota.js';
import { toColumns } from '../../platform/database/columns.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { changedQuotas } from '../../auth/quota/changed-quotas.js';
import type { QuotaChanges } from '../../auth/quota/changed-quotas.js';
import { renewBrand } from '../layout/renew-brand.js';
import { storeLogo } from '../logo/logo.write.js';
import type { LogoContext } from '../logo/logo.write.js';
import { logoBytes } from '../logo/read-logo.js';
import { put } from '../resource/put.js';
import type { BySlug, Put } from '../resource/put.js';
import { checkOrganizationSettings, settingsData } from '../settings/put-settings.js';
import type { OrganizationSettingsFields } from '../settings/read-settings.js';

/** HTTP has operations for the name, for the settings and for the quotas. */
interface OrganizationFields extends OrganizationSettingsFields {
  name?: string;
  quotas?: QuotaChanges;
}

/** Creates or updates an organization. A new brand renews at most `maxRenewed` events; left out: as many as a request may. */
export async function putOrganization(
  context: LogoContext,
  identity: BySlug,
  { name, quotas: changes, ...settings }: OrganizationFields,
  maxRenewed?: number,
): Promise<Put> {
  const { tx } = context;
  const checked = await checkOrganizationSettings(tx, settings);
  if ('errors' in checked) return checked;
  const quotas = changes && (await quotasAfter(tx, identity, changes));
  const columns = { ...toColumns({ name }), quotas, ...checked.settings };
  const row = await put(tx.organization, {}, identity, columns, settingsData);
  const changed = row.differences.map(({ field }) => field);
  const { logo } = checked.settings;
  // Also without a change: the bytes may be lost.
  const errors = logo === undefined ? null : await storeLogo(context, row.id, logo, logoBytes(settings.logo));
  if (errors) return { errors };
  await renewBrand(tx, row.id, changed, maxRenewed);
  return row;
}

async function quotasAfter(tx: Transaction, identity: BySlug, changes: QuotaChanges): Promise<Partial<Quotas>> {
  const row = await tx.organization.findFirst({ where: identity, select: { quotas: true } });
  return changedQuotas((row?.quotas ?? {}) as Partial<Quotas>, changes);
}
