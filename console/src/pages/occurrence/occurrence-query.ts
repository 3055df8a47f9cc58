import type { Input } from '@carillon/client';

export type Filters = Record<string, string | undefined>;
type Query = NonNullable<Input<'GET', '/api/o/{org}/occurrences/'>['query']>;

/** What the API calls the deliveries of a figure's outcome. */
export const DELIVERY_STATUSES: Record<string, string> = {
  sent: 'sent',
  failed: 'dead',
  waiting: 'pending',
  skipped: 'skipped',
};

export const STATUSES = ['pending', 'expanding', 'expanded', 'held', 'failed', 'canceled'] as const;

const HOUR_MS = 3_600_000;
const PERIODS: Record<string, number> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
};

/** What the filters of the address ask of the API. A filter that means nothing asks for nothing. */
export function queryOf(filters: Filters, now: number): Query {
  const { event, status, time, since, until, context, open, outcome, reason, channel, domain } = filters;
  const period = PERIODS[time ?? ''];
  const query: Query = {
    event: /^[^/]+\/[^/]+\/[^/]+$/.test(event ?? '') ? event : undefined,
    status: STATUSES.find((each) => each === status),
    since: period ? new Date(now - period).toISOString() : instantOf(since),
    until: period ? undefined : instantOf(until),
    context: context || undefined,
    open: open === '1' ? '1' : undefined,
    outcome: outcome && outcome in DELIVERY_STATUSES ? (outcome as Query['outcome']) : undefined,
    reason: (reason || undefined) as Query['reason'],
    channel: channel || undefined,
    domain: domain || undefined,
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** A local time as an input has it, such as `2030-01-01T08:00`. */
function instantOf(local: string | undefined): string | undefined {
  const at = new Date(local ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
