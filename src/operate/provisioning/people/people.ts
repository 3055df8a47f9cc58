import { addMembers } from '../../../api/distribution-list/add-members.js';
import { ADD_EMAIL_ADDRESSES } from '../../../api/distribution-list/member.sql.js';
import { emailKey } from '../../../platform/field/email.js';
import { sqlArray } from '../../../platform/database/transaction.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { MemberEntry, UserEntry } from '../file.js';
import {
  ADD_ADDRESSES,
  CHANGED_CLOCKS,
  CREATE_USERS,
  MERGE_USERS,
  UPDATE_MEMBERS,
  UPDATE_USERS,
} from './people.sql.js';

/**
 * Creates and updates users with two statements for a chunk of any size. A field that an entry leaves out keeps its value; with `merge`, so
 * do the custom fields that it leaves out. `changedClocks`: the users whose time zone or quiet hours have changed.
 */
export async function upsertUsers(
  tx: Transaction,
  organizationId: number,
  entries: UserEntry[],
  { merge = false } = {},
): Promise<{ created: number; updated: number; changedClocks: number[] }> {
  // The last entry for an e-mail wins.
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
    users.map(([, user]) => (user.time_zone === null ? '' : ((user.time_zone as string | undefined) ?? null))),
    users.map(([, user]) => (user.quiet_hours === undefined ? null : JSON.stringify(user.quiet_hours))),
  ].map(sqlArray);
  const hasClocks = users.some(([, user]) => user.time_zone !== undefined || user.quiet_hours !== undefined);
  const clocks = [columns[0], columns[6], columns[7]];
  const changed = hasClocks
    ? await tx.$queryRawUnsafe<{ id: number }[]>(CHANGED_CLOCKS, organizationId, ...clocks)
    : [];
  const created = await tx.$executeRawUnsafe(CREATE_USERS, organizationId, ...columns);
  const updated = await tx.$executeRawUnsafe(merge ? MERGE_USERS : UPDATE_USERS, organizationId, ...columns);
  return { created, updated, changedClocks: changed.map(({ id }) => id) };
}

/** Adds missing addresses: each user's e-mail, and the addresses of the entries. Returns the number of the latter. */
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

/** Adds people to a list, and sets the channel and `active` of each entry; `channels` must contain every slug of the entries. */
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
