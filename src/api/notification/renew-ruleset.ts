import type { QuotaName, Quotas } from '../../platform/config/quota.js';
import { conflict } from '../../platform/http/problem.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DEFAULT_LAYOUT } from '../../rules/template/layout/default-layout.js';
import { RENEW_RULESET } from './notification.sql.js';

/** As `RENEW_RULESET` and `LOAD_SHARED` need it. */
export const BUILT_IN = JSON.stringify(DEFAULT_LAYOUT);

interface Renewed {
  /** The organization's own quotas. */
  quotas: Partial<Quotas>;
  notifications: number;
  bytes: number;
  notificationsBefore: number;
  bytesBefore: number;
}

export interface Excess {
  quota: QuotaName;
  detail: string;
}

/**
 * Stores the event's current rules as a new ruleset, if they differ from the latest one. Occurrences pin a ruleset. Returns the quota that the
 * rules exceed, or null; after an excess the caller rolls back. `defaults`: quotas of an organization without quotas of its own.
 */
export async function renewRuleset(tx: Transaction, eventId: number, defaults: Quotas): Promise<Excess | null> {
  await lockRows(tx, 'events', [eventId], 'no key update');
  const [renewed] = await tx.$queryRawUnsafe<Renewed[]>(RENEW_RULESET, eventId, BUILT_IN);
  return renewed ? excessOf(renewed, { ...defaults, ...renewed.quotas }) : null;
}

/** How many events one request renews: some milliseconds each, while the organization is locked. A file has no such limit. */
const MAX_EVENTS = 2_000;

/**
 * Renews the rulesets of events whose notifications use what has changed: a layout, the brand, messages. `events` are in the order of their ids, in
 * which everyone locks them. Returns the first excess, or null. Throws a 409 if there are more than `most`.
 */
export async function renewRulesets(
  tx: Transaction,
  events: readonly number[],
  defaults: Quotas,
  most = MAX_EVENTS,
): Promise<Excess | null> {
  if (events.length > most)
    throw conflict(
      `The change would renew more than ${most} events, because their notifications use it. Make the change in a file, and run carillon apply.`,
    );
  for (const event of events) {
    const excess = await renewRuleset(tx, event, defaults);
    if (excess) return excess;
  }
  return null;
}

/** Rules above a quota that was lowered may be switched off, shortened and deleted. */
function excessOf(
  { notifications, bytes, notificationsBefore, bytesBefore }: Renewed,
  { notifications_per_event: maxNotifications, ruleset_kb: maxKb }: Quotas,
): Excess | null {
  if (notifications > maxNotifications && notifications > notificationsBefore)
    return {
      quota: 'notifications_per_event',
      detail: `The event would have ${notifications} notifications, and the organization's quota notifications_per_event is ${maxNotifications}. Delete notifications, or ask the operator for a higher quota.`,
    };
  if (bytes > maxKb * 1024 && bytes > bytesBefore)
    return {
      quota: 'ruleset_kb',
      detail: `The notifications of the event would take ${Math.ceil(bytes / 1024)} KB together, and the organization's quota ruleset_kb is ${maxKb}. Shorten their templates, or ask the operator for a higher quota.`,
    };
  return null;
}
