import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { LOOK_AGAIN } from './reschedule-waiting.sql.js';

/** Messages that wait for the clock of these users find their time again. At most once in a transaction: see `LOOK_AGAIN`. */
export const rescheduleWaiting = (tx: Transaction, organizationId: number, userIds: readonly number[]) =>
  tx.$executeRawUnsafe(LOOK_AGAIN, organizationId, sqlArray(userIds));
