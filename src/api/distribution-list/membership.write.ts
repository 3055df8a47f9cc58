import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { addTo, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { channelIds } from '../channel/channel-ids.js';
import type { UserAddress } from '../user/address.js';
import { listKey } from './list-key.js';
import { ADDRESSES_OF_USERS, ADD_MEMBERSHIPS, FIND_LISTS, PUT_MEMBERSHIPS, REMOVE_MEMBERSHIPS } from './member.sql.js';

/** A place of a user in a list. */
export interface MembershipFields {
  project: string;
  /** Name of the list. */
  list: string;
  /** Null: the e-mail of the user. */
  address: UserAddress | null;
  /** Null: every channel of the notification. */
  channel: string | null;
  active: boolean;
}

interface UserMemberships {
  userId: number;
  email: string;
  memberships: MembershipFields[];
}

interface ListRow {
  id: number;
  projectId: number;
  project: string;
  key: string;
}

interface Row {
  userId: number;
  listId: number;
  addressId: number;
  channelId: number | null;
  active: boolean;
}

type Find = (membership: MembershipFields) => {
  list?: ListRow;
  /** Undefined: there is no such channel. */
  channelId?: number | null;
};

/**
 * Replaces the memberships of users, with a few statements for any number of them. With `merge`, those that users have stay as they are. Returns
 * the errors of each user instead, if there are any: then nothing was written.
 */
export async function putMemberships(
  tx: Transaction,
  organizationId: number,
  users: UserMemberships[],
  { merge }: { merge: boolean } = { merge: false },
): Promise<{ userId: number; errors: FieldErrors }[]> {
  const find = await finder(tx, organizationId, users);
  const ids = sqlArray(users.map(({ userId }) => userId));
  const addresses = await tx.$queryRawUnsafe<(UserAddress & { id: number; userId: number })[]>(ADDRESSES_OF_USERS, ids);
  const addressIds = new Map(addresses.map(({ id, userId, name, value }) => [`${userId}/${name}/${value}`, id]));
  const rows: Row[] = [];
  const refused = users.flatMap((user) => {
    const errors: FieldErrors = {};
    rows.push(...rowsOf(user, find, addressIds, errors));
    return hasErrors(errors) ? [{ userId: user.userId, errors }] : [];
  });
  if (refused.length > 0) return refused;
  const columns = [
    rows.map(({ userId }) => userId),
    rows.map(({ listId }) => listId),
    rows.map(({ addressId }) => addressId),
    rows.map(({ channelId }) => channelId),
    rows.map(({ active }) => active),
  ].map(sqlArray);
  if (!merge) await tx.$executeRawUnsafe(REMOVE_MEMBERSHIPS, organizationId, ids, columns[1], columns[2]);
  const put = merge ? ADD_MEMBERSHIPS : PUT_MEMBERSHIPS;
  if (rows.length > 0) await tx.$executeRawUnsafe(put, organizationId, ...columns);
  return [];
}

/** Looks up all lists and channels that the memberships name. */
async function finder(tx: Transaction, organizationId: number, users: UserMemberships[]): Promise<Find> {
  const all = users.flatMap(({ memberships }) => memberships);
  const [projects, keys] = [all.map(({ project }) => project), all.map(({ list }) => listKey(list))];
  const lists =
    all.length === 0
      ? []
      : await tx.$queryRawUnsafe<ListRow[]>(FIND_LISTS, organizationId, sqlArray(projects), sqlArray(keys));
  const byName = new Map(lists.map((list) => [`${list.project}/${list.key}`, list]));
  const channels = new Map<number, Map<string, number>>();
  const named = new Set(all.filter(({ channel }) => channel !== null).map(({ project }) => project));
  for (const { projectId, project } of lists)
    if (named.has(project) && !channels.has(projectId))
      channels.set(projectId, await channelIds(tx, { organizationId, projectId }));
  return ({ project, list: name, channel }) => {
    const list = byName.get(`${project}/${listKey(name)}`);
    return { list, channelId: channel === null || !list ? null : channels.get(list.projectId)?.get(channel) };
  };
}

function rowsOf(
  { userId, email, memberships }: UserMemberships,
  find: Find,
  addressIds: ReadonlyMap<string, number>,
  errors: FieldErrors,
): Row[] {
  const addError = addTo(errors);
  const seen = new Set<string>();
  return memberships.flatMap((membership, i) => {
    const place = `memberships[${i}]`;
    const { list, channelId } = find(membership);
    const { name, value } = membership.address ?? { name: 'email', value: email };
    const addressId = addressIds.get(`${userId}/${name}/${value}`);
    if (!list)
      addError(
        `${place}.distribution_list`,
        'not_found',
        `is not a distribution list of the project ${membership.project}`,
      );
    if (channelId === undefined)
      addError(`${place}.channel`, 'not_found', 'is not a channel of the project or the organization');
    if (addressId === undefined)
      addError(`${place}.address`, 'not_found', 'is not an address of the user: add it to addresses');
    if (!list || channelId === undefined || addressId === undefined) return [];
    if (seen.has(`${list.id}/${addressId}`)) addError(place, 'duplicate', 'is listed twice');
    seen.add(`${list.id}/${addressId}`);
    return [{ userId, listId: list.id, addressId, channelId, active: membership.active }];
  });
}
