import type { Transaction } from '../../platform/database/transaction.js';
import { keysOf } from '../../rules/language/messages.js';
import type { Messages } from '../../rules/language/messages.js';
import { SHARE_MESSAGES } from './messages.sql.js';

/** The keys of a project's messages. They stay until the transaction ends. */
export async function projectKeys(tx: Transaction, projectId: number): Promise<ReadonlySet<string>> {
  const [project] = await tx.$queryRawUnsafe<{ messages: Messages | null }[]>(SHARE_MESSAGES, projectId);
  return keysOf(project?.messages ?? {});
}
