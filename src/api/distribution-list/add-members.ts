import { lockRows, sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ADD_EMAIL_ADDRESSES, ADD_MEMBERS, ADD_USERS } from './member.sql.js';
import type { Recipients } from './recipients.js';

interface Target {
  organizationId: number;
  listId: number;
}

/**
 * Adds e-mails to the list, and creates the missing users of the organization. Uses four set-based statements for any number of e-mails,
 * inside the caller's transaction. Returns null if the list has been deleted.
 */
export async function addMembers(
  tx: Transaction,
  { organizationId, listId }: Target,
  { emails, keys }: Recipients,
): Promise<{ added: number; createdUsers: number } | null> {
  const [list] = await lockRows(tx, 'distribution_lists', [listId], 'key share');
  if (list === undefined) return null;
  const all = sqlArray(keys);
  const createdUsers = await tx.$executeRawUnsafe(ADD_USERS, organizationId, sqlArray(emails), all);
  await tx.$executeRawUnsafe(ADD_EMAIL_ADDRESSES, organizationId, all);
  const added = await tx.$executeRawUnsafe(ADD_MEMBERS, organizationId, listId, all);
  return { added, createdUsers };
}
