import { readConfig } from '../../platform/config/config.js';
import { QUOTAS, QUOTA_NAMES } from '../../platform/config/quota.js';
import type { QuotaName, Quotas } from '../../platform/config/quota.js';
import { commandLine } from '../../platform/database/actor.js';
import type { QuotaChanges } from '../../auth/quota/changed-quotas.js';
import { LIST_USAGE } from '../../auth/quota/quota.sql.js';
import { setQuotas } from '../../auth/quota/set-quotas.js';
import { withConnection } from './connection.js';
import { CommandError, aligned, print } from './print/print.js';
import type { PrintOptions } from './print/print.js';

export interface ListQuotasOptions extends PrintOptions {
  org?: string;
}

/** A quota's option is its name in camel case. */
export type SetQuotasOptions = { org: string; json?: boolean } & Record<string, string | boolean | undefined>;

interface UsageRow {
  slug: string;
  quotas: Partial<Quotas>;
  storedBytes: number;
  measuredAt: Date | null;
}

export async function list({ org, ...options }: ListQuotasOptions): Promise<void> {
  const rows = await withConnection((connection) => connection.$queryRawUnsafe<UsageRow[]>(LIST_USAGE, org ?? null));
  if (org && rows.length === 0) throw new CommandError(`there is no organization ${org}`);
  const defaults = readConfig().quotas;
  const organizations = rows.map(({ slug, quotas, storedBytes, measuredAt }) => ({
    organization: slug,
    stored_mb: Math.floor(storedBytes / 1024 / 1024),
    measured_at: measuredAt,
    quotas: { ...defaults, ...quotas },
    own: Object.keys(quotas),
  }));
  const lines = [
    ['ORGANIZATION', 'STORES MB', ...QUOTA_NAMES],
    ...organizations.map(({ organization, stored_mb: stored, quotas, own }) => [
      organization,
      String(stored),
      ...QUOTA_NAMES.map((name) => `${quotas[name]}${own.includes(name) ? '' : ' (default)'}`),
    ]),
  ];
  await print(options, organizations, rows.length === 0 ? 'no organizations' : aligned(lines));
}

export async function set({ org, json, ...options }: SetQuotasOptions): Promise<void> {
  const changes = readChanges(options);
  const quotas = await withConnection(async (connection) => {
    const find = 'select id from organizations where slug = $1';
    const [row] = await connection.$queryRawUnsafe<{ id: number }[]>(find, org);
    return row ? connection.change(commandLine('quota set'), (tx) => setQuotas(tx, row.id, changes)) : null;
  });
  if (!quotas) throw new CommandError(`there is no organization ${org}`);
  const effective = { ...readConfig().quotas, ...quotas };
  const text = Object.keys(changes).map((name) => `${name} is ${effective[name as QuotaName]}`);
  await print(
    { json },
    { organization: org, quotas: effective, own: Object.keys(quotas) },
    `${org}: ${text.join(', ')}`,
  );
}

function readChanges(options: Record<string, string | boolean | undefined>): QuotaChanges {
  const changes: QuotaChanges = {};
  for (const name of QUOTA_NAMES) {
    const text = options[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof text !== 'string') continue;
    const isValid = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= QUOTAS[name].max;
    if (!isValid && text !== 'default')
      throw new CommandError(
        `${optionOf(name)} must be default or a whole number from 1 to ${QUOTAS[name].max}, not "${text}"`,
      );
    changes[name] = isValid ? Number(text) : null;
  }
  if (Object.keys(changes).length === 0)
    throw new CommandError(`give at least one quota: ${QUOTA_NAMES.map(optionOf).join(', ')}`);
  return changes;
}

const optionOf = (name: QuotaName) => `--${name.replaceAll('_', '-')}`;
