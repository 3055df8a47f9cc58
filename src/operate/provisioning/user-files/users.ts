import { addMembers } from '../../../api/distribution-list/add-members.js';
import { emailKey } from '../../../platform/field/email.js';
import { sqlArray } from '../../../platform/database/transaction.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { MemberEntry } from '../file.js';
import { UPDATE_MEMBERS } from './users.sql.js';

/** Adds users to a list, and sets the channel and `active` of each entry; `channels` must contain every slug of the entries. */
export async function putMembers(
  tx: Transaction,
  place: { organizationId: number; listId: number },
  entries: MemberEntry[],
  channels: Map<string, number>,
): Promise<{ added: number; updated: number; createdUsers: number }> {
  const emails = new Map(entries.map(({ email }) => [emailKey(email), email]));
  const keys = [...emails.keys()].sort();
  const counts = await addMembers(tx, place, { keys, emails: keys.map((key) => emails.get(key)!) });
  const detailed = entries.filter(({ channel, active }) => channel !== undefined || active !== undefined);
  // The last entry for a user wins.
  const byKey = new Map(detailed.map((entry) => [emailKey(entry.email), entry]));
  const updates = [...byKey].map(([key, { channel, active }]) => ({
    key,
    channelId: channel === undefined ? null : channels.get(channel)!,
    active: active ?? null,
  }));
  const updated = updates.length === 0 ? 0 : await updateMembers(tx, place, updates);
  return { added: counts?.added ?? 0, updated, createdUsers: counts?.createdUsers ?? 0 };
}

function updateMembers(
  tx: Transaction,
  { organizationId, listId }: { organizationId: number; listId: number },
  members: { key: string; channelId: number | null; active: boolean | null }[],
): Promise<number> {
  return tx.$executeRawUnsafe(
    UPDATE_MEMBERS,
    listId,
    sqlArray(members.map(({ key }) => key)),
    sqlArray(members.map(({ channelId }) => channelId)),
    sqlArray(members.map(({ active }) => active)),
    organizationId,
  );
}
