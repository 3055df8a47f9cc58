import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { emailKey } from '../../platform/field/email.js';
import { fieldError, within } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { putMemberships } from '../distribution-list/membership.write.js';
import { putPreferences } from '../preference/preference.write.js';
import { rescheduleWaiting } from '../settings/reschedule-waiting.js';
import { putUsers } from '../user/user.write.js';
import type { UserProfile } from './read-profile.js';
import { IDS_OF_USERS, REMOVE_ADDRESSES, USED_ADDRESSES } from './user-profile.sql.js';

interface RefusedProfile<Profile> {
  profile: Profile;
  errors: FieldErrors;
}

/**
 * Creates or replaces whole users, with a few statements for any number of them, each with another e-mail. If some are refused, the caller has to
 * roll back.
 */
export async function putProfiles<Profile extends UserProfile>(
  tx: Transaction,
  organizationId: number,
  profiles: Profile[],
): Promise<{ created: number; refused: RefusedProfile<Profile>[] }> {
  const entries = profiles.map((profile) => ({ ...profile.user, profile }));
  const { created, changedClocks, refused } = await putUsers(tx, organizationId, entries);
  if (refused.length > 0)
    return { created, refused: refused.map(({ entry, errors }) => ({ profile: entry.profile, errors })) };
  const users = await withIds(tx, organizationId, profiles);
  for (const put of [putLists, removeAddresses, putChoices]) {
    const errors = await put(tx, organizationId, users);
    if (errors.length > 0) return { created, refused: refusalsOf(errors, users) };
  }
  if (changedClocks.length > 0) await rescheduleWaiting(tx, organizationId, changedClocks);
  return { created, refused: [] };
}

/** Creates users, or changes what their entries have. If some are refused, the caller has to roll back. */
export async function mergeUsers<Profile extends UserProfile>(
  tx: Transaction,
  organizationId: number,
  profiles: Profile[],
): Promise<{ created: number; refused: RefusedProfile<Profile>[] }> {
  const entries = profiles.map((profile) => ({ ...profile.user, profile }));
  const { created, changedClocks, refused } = await putUsers(tx, organizationId, entries, { merge: true });
  if (refused.length > 0)
    return { created, refused: refused.map(({ entry, errors }) => ({ profile: entry.profile, errors })) };
  const listed = profiles.filter(({ memberships }) => memberships);
  if (listed.length > 0) {
    const users = await withIds(tx, organizationId, listed);
    const errors = await putLists(tx, organizationId, users, { merge: true });
    if (errors.length > 0) return { created, refused: refusalsOf(errors, users) };
  }
  if (changedClocks.length > 0) await rescheduleWaiting(tx, organizationId, changedClocks);
  return { created, refused: [] };
}

interface Known<Profile = UserProfile> {
  userId: number;
  /** As it is stored. */
  email: string;
  profile: Profile;
}

type Refused = { userId: number; errors: FieldErrors }[];

function refusalsOf<Profile>(refused: Refused, users: Known<Profile>[]): RefusedProfile<Profile>[] {
  const byId = new Map(users.map(({ userId, profile }) => [userId, profile]));
  return refused.map(({ userId, errors }) => ({ profile: byId.get(userId)!, errors }));
}

async function withIds<Profile extends UserProfile>(
  tx: Transaction,
  organizationId: number,
  profiles: Profile[],
): Promise<Known<Profile>[]> {
  const byKey = new Map(profiles.map((profile) => [emailKey(profile.user.email), profile]));
  const keys = sqlArray([...byKey.keys()]);
  const rows = await tx.$queryRawUnsafe<{ id: number; key: string; email: string }[]>(
    IDS_OF_USERS,
    organizationId,
    keys,
  );
  return rows.map(({ id, key, email }) => ({ userId: id, email, profile: byKey.get(key)! }));
}

async function putLists(
  tx: Transaction,
  organizationId: number,
  users: Known[],
  options?: { merge: boolean },
): Promise<Refused> {
  const given = users.flatMap(({ userId, email, profile: { memberships } }) =>
    memberships ? [{ userId, email, memberships }] : [],
  );
  return given.length === 0 ? [] : putMemberships(tx, organizationId, given, options);
}

/** After the memberships: a membership that goes may have used the address. */
async function removeAddresses(tx: Transaction, organizationId: number, users: Known[]): Promise<Refused> {
  const given = users.filter(({ profile }) => profile.user.addresses);
  if (given.length === 0) return [];
  const kept = given.flatMap(({ userId, profile }) =>
    profile.user.addresses!.map((address) => ({ userId, ...address })),
  );
  const columns = [
    given.map(({ userId }) => userId),
    kept.map(({ userId }) => userId),
    kept.map(({ name }) => name),
    kept.map(({ value }) => value),
  ].map(sqlArray);
  const used = await tx.$queryRawUnsafe<UsedAddress[]>(USED_ADDRESSES, organizationId, ...columns);
  if (used.length > 0)
    return used.map(({ userId, name, value, list }) => {
      const sentence = `lack ${name} ${value}, which the distribution list ${list} uses: remove the membership, too`;
      return { userId, errors: { addresses: [fieldError('conflict', sentence)] } };
    });
  await tx.$executeRawUnsafe(REMOVE_ADDRESSES, organizationId, ...columns);
  return [];
}

interface UsedAddress {
  userId: number;
  name: string;
  value: string;
  list: string;
}

async function putChoices(tx: Transaction, organizationId: number, users: Known[]): Promise<Refused> {
  const given = users.flatMap(({ userId, profile: { wishes } }) => (wishes ? [{ userId, wishes }] : []));
  if (given.length === 0) return [];
  const put = await putPreferences(tx, organizationId, given, { chosenBy: 'key', replace: true });
  if (!('refused' in put)) return [];
  return put.refused.map(({ userId, errors }) => ({ userId, errors: within('preferences', errors) }));
}
