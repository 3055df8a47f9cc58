/** What one organization may use: the default, which a setting replaces, and the highest value that an operator may set. */
export const QUOTAS = {
  /** In each process, over all keys. */
  triggers_per_second: { default: 5000, max: 1_000_000 },
  stored_mb: { default: 102_400, max: 2_147_483_647 },
  notifications_per_event: { default: 200, max: 10_000 },
  /** The default is a quarter of the rulesets that a worker keeps in memory. */
  ruleset_kb: { default: 8192, max: 262_144 },
  send_at_days: { default: 366, max: 36_500 },
  schedules: { default: 1000, max: 100_000 },
  files_mb: { default: 10_240, max: 2_147_483_647 },
  /** Together with partials, of the organization and its projects. */
  layouts: { default: 200, max: 10_000 },
} as const;

export type QuotaName = keyof typeof QUOTAS;
export type Quotas = Record<QuotaName, number>;

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** The environment variable with the quota of organizations that have none of their own. */
export const quotaSetting = (name: QuotaName) => `QUOTA_${name.toUpperCase()}`;
