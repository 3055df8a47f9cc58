import { lockRows, sqlArray } from '../prisma/transaction.js';
import type { Transaction } from '../prisma/transaction.js';
import { ADD_EMAIL_ADDRESSES, ADD_MEMBERS, ADD_USERS } from './member.sql.js';
import type { Recipients } from './recipients.js';

interface Target {
  organizationId: number;
  listId: number;
}

/**
 * Makes the e-mails members of the list, and users of the organization where they are none yet. Four set-based statements
 * for any number of e-mails; the caller's transaction makes them one. Null when the list has been deleted.
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
