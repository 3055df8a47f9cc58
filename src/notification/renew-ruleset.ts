import type { Transaction } from '../prisma/transaction.js';
import { RENEW_RULESET } from './notification.sql.js';

/** Stores the event's current rules as a new ruleset, if they differ from the latest one. Occurrences pin a ruleset. */
export async function renewRuleset(tx: Transaction, eventId: number): Promise<void> {
  await tx.$executeRawUnsafe(RENEW_RULESET, eventId);
}
