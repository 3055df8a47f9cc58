import { addMembers } from '../../distribution-list/add-members.js';
import { ADD_EMAIL_ADDRESSES } from '../../distribution-list/member.sql.js';
import { emailKey } from '../../field/email.js';
import { sqlArray } from '../../prisma/transaction.js';
import type { Transaction } from '../../prisma/transaction.js';
import type { MemberEntry, UserEntry } from '../file.js';
import { ADD_ADDRESSES, CREATE_USERS, MERGE_USERS, UPDATE_MEMBERS, UPDATE_USERS } from './people.sql.js';

/**
 * Creates and updates users in sets: two statements a chunk, however many users it holds. A field that an entry leaves out stays as
 * it is; with `merge` also the custom fields that it does not name.
 */
export async function upsertUsers(
  tx: Transaction,
  organizationId: number,
  entries: UserEntry[],
  { merge = false } = {},
): Promise<{ created: number; updated: number }> {
  // The last entry for an e-mail wins, as it would one by one.
  const users = [...new Map(entries.map((entry) => [emailKey(entry.email), entry])).entries()].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const columns = [
    users.map(([key]) => key),
    users.map(([, user]) => user.email),
    users.map(([, user]) => user.first_name ?? null),
    users.map(([, user]) => user.last_name ?? null),
    users.map(([, user]) => user.locked ?? null),
    users.map(([, user]) => (user.custom_fields ? JSON.stringify(user.custom_fields) : null)),
  ].map(sqlArray);
  const created = await tx.$executeRawUnsafe(CREATE_USERS, organizationId, ...columns);
  const updated = await tx.$executeRawUnsafe(merge ? MERGE_USERS : UPDATE_USERS, organizationId, ...columns);
  return { created, updated };
}

/** Adds the addresses that are not there yet: each user's e-mail, and those of the file. */
export async function addAddresses(tx: Transaction, organizationId: number, entries: UserEntry[]): Promise<number> {
  const rows = entries.flatMap(({ email, addresses = [] }) =>
    addresses.map(({ name, value }) => ({ key: emailKey(email), name, value })),
  );
  const keys = [...new Set(entries.map(({ email }) => emailKey(email)))].sort();
  await tx.$executeRawUnsafe(ADD_EMAIL_ADDRESSES, organizationId, sqlArray(keys));
  const columns = [rows.map(({ key }) => key), rows.map(({ name }) => name), rows.map(({ value }) => value)].map(
    sqlArray,
  );
  return tx.$executeRawUnsafe(ADD_ADDRESSES, organizationId, ...columns);
}

/** Makes people members of a list, with the channel and state that each entry gives; `channels` holds every slug that is named. */
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
  // The last entry for a person wins.
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
