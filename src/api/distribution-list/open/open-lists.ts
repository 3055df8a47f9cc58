import { listKey } from '../list-key.js';
import { sqlArray } from '../../../platform/database/transaction.js';
import type { SqlTransaction } from '../../../platform/database/transaction.js';
import { MAX_NAMED, fieldError } from '../../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../../platform/field/error/field-error.js';
import { wantedOf } from '../../preference/read-choices.js';
import { JOIN_LISTS, LEAVE_LISTS, OPEN_LISTS } from './open-list.sql.js';

/** An open list, and whether the user is on it. */
export interface OpenList {
  id: number;
  /** Slug of the project. */
  project: string;
  /** Such as `shop/Tips`. */
  list: string;
  name: string;
  description: string;
  on: boolean;
}

interface ListOwner {
  organizationId: number;
  userId: number;
}

/** The lists that a user may join or leave. */
export const openLists = (
  client: Pick<SqlTransaction, '$queryRawUnsafe'>,
  { organizationId, userId }: ListOwner,
  projectId: number | null = null,
): Promise<OpenList[]> => client.$queryRawUnsafe<OpenList[]>(OPEN_LISTS, organizationId, userId, projectId);

/** A list to join or to leave. */
export interface ListChange {
  id: number;
  on: boolean;
}

/** Finds the lists that a request names. Returns the errors of each field instead, if there are any. */
export function readListChanges(
  given: Readonly<Record<string, unknown>>,
  lists: readonly OpenList[],
): { changes: ListChange[] } | { errors: FieldErrors } {
  const find = finder(lists);
  const errors: [string, FieldError[]][] = [];
  const names = new Map<number, string>();
  const changes: ListChange[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (errors.length === MAX_NAMED) break;
    const refuse = (error: FieldError) => errors.push([`lists.${name}`, [error]]);
    const on = wantedOf(value) ?? undefined;
    const found = find(name);
    if (on === undefined) refuse(fieldError('unknown_value', 'must be on or off'));
    else if ('problem' in found) refuse(found.problem);
    else if (names.has(found.id))
      refuse(fieldError('duplicate', `means the same as ${names.get(found.id)}: use one of the two names`));
    else changes.push({ id: found.id, on });
    if ('id' in found) names.set(found.id, name);
  }
  return errors.length > 0 ? { errors: Object.fromEntries(errors) } : { changes };
}

/** By its whole name, or by its own if no other open list has the same. */
function finder(lists: readonly OpenList[]): (name: string) => OpenList | { problem: FieldError } {
  const whole = new Map(lists.map((list) => [listKey(list.list), list]));
  const own = new Map<string, OpenList[]>();
  for (const list of lists) own.set(listKey(list.name), [...(own.get(listKey(list.name)) ?? []), list]);
  return (name) => {
    const key = listKey(name);
    const found = whole.get(key) ?? own.get(key) ?? [];
    if (!Array.isArray(found)) return found;
    if (found.length === 1) return found[0]!;
    if (found.length === 0) return { problem: fieldError('not_found', 'is not the name of an open list') };
    const all = found.map(({ list }) => list).join(' or ');
    return { problem: fieldError('ambiguous', `may mean ${all}: use the whole name`) };
  };
}

/** Joins and leaves lists. Who is where they want to be already leaves no trace in the audit log. */
export async function putListChanges(
  tx: SqlTransaction,
  { organizationId, userId }: ListOwner,
  changes: readonly ListChange[],
): Promise<void> {
  for (const [text, isOn] of [
    [JOIN_LISTS, true],
    [LEAVE_LISTS, false],
  ] as const) {
    const ids = changes.filter(({ on }) => on === isOn).map(({ id }) => id);
    if (ids.length > 0) await tx.$executeRawUnsafe(text, organizationId, userId, sqlArray(ids));
  }
}
