import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { emailKey } from '../../../platform/field/email.js';
import { within } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { errorLines } from '../../../api/resource/error-lines.js';
import { putPreferences } from '../../../api/preference/put-preferences.js';
import type { UserWishes } from '../../../api/preference/put-preferences.js';
import { readChoices } from '../../../api/preference/read-choices.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { chunksOf } from '../bulk-write.js';
import { MAX_PROBLEMS, ProvisioningError } from '../file.js';
import type { UserEntry } from '../file.js';
import { countedChange } from './change.js';
import type { Change } from './change.js';

interface PreferencesContext {
  tx: Transaction;
  dispatchers: ReadonlyMap<string, Dispatcher>;
}

/** Merges what the file says about users into what they have chosen. Choices that the file does not mention are kept, also with `--prune`. */
export async function applyPreferences(
  { tx, dispatchers }: PreferencesContext,
  organizationId: number,
  users: UserEntry[],
  parent: string,
): Promise<Change[]> {
  const counts = { created: 0, updated: 0, removed: 0 };
  for await (const chunk of chunksOf(
    tx,
    users.filter(({ preferences }) => preferences),
  )) {
    const emails = new Map<number, string>();
    const people: UserWishes[] = [];
    for (const { userId, email, preferences } of await withIds(tx, organizationId, chunk)) {
      const read = readChoices(preferences ?? {}, dispatchers);
      if ('errors' in read) throw new ProvisioningError(linesOf(`${parent}/${email}`, read.errors));
      emails.set(userId, email);
      people.push({ userId, wishes: read.wishes });
    }
    const put = await putPreferences(tx, organizationId, people, 'key');
    if ('refused' in put) {
      const problems = put.refused.flatMap(({ userId, errors }) => linesOf(`${parent}/${emails.get(userId)}`, errors));
      throw new ProvisioningError(problems.slice(0, MAX_PROBLEMS));
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

/** The last entry for an e-mail wins, as for their other fields. */
async function withIds(tx: Transaction, organizationId: number, entries: UserEntry[]) {
  const byKey = new Map(entries.map((entry) => [emailKey(entry.email), entry]));
  const rows = await tx.user.findMany({
    where: { organizationId, emailKey: { in: [...byKey.keys()] } },
    orderBy: { id: 'asc' },
    select: { id: true, emailKey: true },
  });
  return rows.map((row) => ({ userId: row.id, ...byKey.get(row.emailKey)! }));
}

const linesOf = (user: string, errors: FieldErrors) => errorLines(`user ${user}`, within('preferences', errors));
