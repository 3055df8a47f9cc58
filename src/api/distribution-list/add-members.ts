import { lockRows, sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { putUsers } from '../user/user.write.js';
import { ADD_MEMBERS } from './member.sql.js';
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
  const users = emails.map((email) => ({ email }));
  const { created } = await putUsers(tx, organizationId, users);
  const added = await tx.$executeRawUnsafe(ADD_MEMBERS, organizationId, listId, sqlArray(keys));
  return { added, createdUsers: created };
}
