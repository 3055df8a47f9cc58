import { emailKey } from '../../platform/field/email.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ADD_EMAIL_ADDRESSES } from '../distribution-list/member.sql.js';
import type { UserSettingsFields } from '../settings/read-settings.js';
import { ADD_ADDRESSES, CHANGED_CLOCKS, CREATE_USERS, MERGE_USERS, UPDATE_USERS } from './put-users.sql.js';

/** A user as a file or a trigger gives it. Undefined fields keep their values. */
export interface UserFields extends UserSettingsFields {
  email: string;
  first_name?: string;
  last_name?: string;
  locked?: boolean;
  custom_fields?: Record<string, unknown>;
  addresses?: { name: string; value: string }[];
}

/**
 * Creates and updates users with two statements for a chunk of any size. A field that an entry leaves out keeps its value; with `merge`, so
 * do the custom fields that it leaves out. `changedClocks`: the users whose time zone or quiet hours have changed.
 */
export async function upsertUsers(
  tx: Transaction,
  organizationId: number,
  entries: UserFields[],
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
export async function addAddresses(tx: Transaction, organizationId: number, entries: UserFields[]): Promise<number> {
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
