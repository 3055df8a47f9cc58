import { sqlArray } from '../../../platform/database/transaction.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { ErasePayload } from '../../../platform/queue/task.js';
import {
  ADDRESSES_OF,
  ERASE_SUPPRESSIONS,
  FORGET_IN_ALERTS,
  INSERT_ERASE_JOB,
  MAKE_ERASURE_KEY,
  NOTE_ERASURE,
  REDACT_SUPPRESSIONS,
} from './erase.sql.js';

interface Address {
  name: string;
  value: string;
}

/**
 * Deletes a user with `remove`, and everything that would still tell who they were. The audit log and the suppressions change in this
 * transaction; a job removes the data from messages and occurrences, of which there may be millions.
 */
export async function eraseUser(
  tx: Transaction,
  { organizationId, userId }: { organizationId: number; userId: number },
  remove: () => Promise<unknown>,
): Promise<void> {
  const addresses = await tx.$queryRawUnsafe<Address[]>(ADDRESSES_OF, userId, organizationId);
  const [names, values] = [addresses.map(({ name }) => name), addresses.map(({ value }) => value)];
  await tx.$executeRawUnsafe(MAKE_ERASURE_KEY, organizationId);
  await tx.$executeRawUnsafe(ERASE_SUPPRESSIONS, organizationId, userId, sqlArray(names), sqlArray(values));
  const labels = addresses.map(({ name, value }) => `${name}/${value}`);
  await tx.$executeRawUnsafe(REDACT_SUPPRESSIONS, organizationId, sqlArray(labels), sqlArray(values));
  await tx.$executeRawUnsafe(FORGET_IN_ALERTS, organizationId, userId);
  await remove();
  const payload: ErasePayload = { organization: organizationId, user: userId, addresses: [...new Set(values)] };
  await tx.$executeRawUnsafe(INSERT_ERASE_JOB, organizationId, JSON.stringify(payload));
  await tx.$executeRawUnsafe(NOTE_ERASURE, organizationId, `[user ${userId}]`);
}
