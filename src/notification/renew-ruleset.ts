import type { Transaction } from '../prisma/transaction.js';
import { RENEW_RULESET } from './notification.sql.js';

/** Keeps the event's rules as they stand now, for occurrences to pin, if they differ from those kept last. */
export async function renewRuleset(tx: Transaction, eventId: number): Promise<void> {
  await tx.$executeRawUnsafe(RENEW_RULESET, eventId);
}
