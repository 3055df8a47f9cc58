import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { emailKey } from '../../../platform/field/email.js';
import { within } from '../../../platform/field/error/field-error.js';
import { putPreferences } from '../../../api/preference/preference.write.js';
import type { UserWishes } from '../../../api/preference/preference.write.js';
import { readChoices } from '../../../api/preference/read-choices.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { chunksOf } from '../bulk-write.js';
import type { UserEntry } from '../file.js';
import type { FilePath } from '../problem/file-path.js';
import type { FileProblems } from '../problem/file-problems.js';
import { countedChange } from './change.js';
import type { Change } from './change.js';

interface PreferencesContext {
  tx: Transaction;
  problems: FileProblems;
  dispatchers: ReadonlyMap<string, Dispatcher>;
}

/** Merges what the file says about users into what they have chosen. Choices that the file does not mention are kept, also with `--prune`. */
export async function applyPreferences(
  { tx, dispatchers, problems }: PreferencesContext,
  organizationId: number,
  users: UserEntry[],
  parent: string,
): Promise<Change[]> {
  const counts = { created: 0, updated: 0, removed: 0 };
  for await (const chunk of chunksOf(
    tx,
    users.filter(({ preferences }) => preferences),
  )) {
    const entries = new Map<number, UserEntry>();
    const wishes: UserWishes[] = [];
    for (const { userId, entry } of await withIds(tx, organizationId, chunk)) {
      const read = readChoices(entry.preferences ?? {}, dispatchers);
      entries.set(userId, entry);
      if ('errors' in read) problems.add(entry, within('preferences', read.errors));
      else wishes.push({ userId, wishes: read.wishes });
    }
    // A choice about a category that is refused would be refused too.
    if (problems.has(isAboutCategories)) continue;
    const put = await putPreferences(tx, organizationId, wishes, { chosenBy: 'key' });
    if ('refused' in put) {
      for (const { userId, errors } of put.refused) problems.add(entries.get(userId)!, within('preferences', errors));
      continue;
    }
    counts.created += put.created;
    counts.updated += put.updated;
    counts.removed += put.removed;
  }
  return [
    ...countedChange('create', counts.created, 'preference', parent),
    ...countedChange('update', counts.updated, 'preference', parent),
    ...countedChange('delete', counts.removed, 'preference', parent),
  ];
}

const isAboutCategories = (path: FilePath) =>
  path.includes('projects') && (path.includes('categories') || path.at(-1) === 'category');

/** The last entry for an e-mail wins, as for their other fields. */
async function withIds(tx: Transaction, organizationId: number, entries: UserEntry[]) {
  const byKey = new Map(entries.map((entry) => [emailKey(entry.email), entry]));
  const rows = await tx.user.findMany({
    where: { organizationId, emailKey: { in: [...byKey.keys()] } },
    orderBy: { id: 'asc' },
    select: { id: true, emailKey: true },
  });
  return rows.map((row) => ({ userId: row.id, entry: byKey.get(row.emailKey)! }));
}
