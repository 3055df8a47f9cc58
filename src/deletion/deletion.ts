import { conflict, notFound } from '../http/problem.js';
import { lockRows } from '../prisma/transaction.js';
import type { Transaction } from '../prisma/transaction.js';
import * as sql from './deletion.sql.js';

interface DeletionRule {
  table: Parameters<typeof lockRows>[1];
  /** SQL that finds what blocks the deletion of rows; $1 are their ids. */
  blockers: string;
  /** Why the deletion is refused, as the end of a sentence that names the thing. */
  because: (blockers: readonly string[]) => string;
  /** The blockers lie inside the thing. `apply --prune` deletes those first, each under its own rule. */
  holds?: true;
}

const MOST_NAMED = 10;

const used = (blockers: readonly string[]) => {
  const more = blockers.length - MOST_NAMED;
  const named = blockers.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${named} ${blockers.length === 1 ? 'uses' : 'use'} it.`;
};
const notDone = ([occurrence]: readonly string[]) => `${occurrence} is not done. Cancel it, or wait.`;

/**
 * What cannot be deleted while something needs it, by noun: for HTTP and for `apply --prune`. Other things have no rule, such as users,
 * members and notifications: they are deleted together with everything in them.
 */
export const DELETION_RULES = {
  organization: {
    table: 'organizations',
    blockers: sql.PROJECTS_IN_ORGANIZATIONS,
    because: used,
    holds: true,
  },
  project: { table: 'projects', blockers: sql.APPLICATIONS_IN_PROJECTS, because: used, holds: true },
  application: { table: 'applications', blockers: sql.EVENTS_IN_APPLICATIONS, because: used, holds: true },
  event: { table: 'events', blockers: sql.OPEN_OCCURRENCES_OF_EVENTS, because: notDone },
  channel: { table: 'channels', blockers: sql.USERS_OF_CHANNELS, because: used },
  'distribution list': { table: 'distribution_lists', blockers: sql.NOTIFICATIONS_TO_LISTS, because: used },
  address: { table: 'addresses', blockers: sql.LISTS_WITH_ADDRESSES, because: used },
} satisfies Record<string, DeletionRule>;

export type Deletable = keyof typeof DELETION_RULES;

/**
 * Of the rows that cannot be deleted: why, as in `cannot be deleted: the notification Tell uses it.` Locks all of them first, so that
 * nothing comes to need one before the transaction has deleted it.
 */
export async function findBlocked(
  tx: Transaction,
  noun: Deletable,
  ids: readonly number[],
): Promise<Map<number, string>> {
  await lockRows(tx, DELETION_RULES[noun].table, ids);
  return reasons(tx, noun, ids);
}

/** For a request that is about to delete one thing: 404 when it is gone, 409 when something needs it. Locks it. */
export async function refuseIfBlocked(tx: Transaction, noun: Deletable, id: number): Promise<void> {
  const [found] = await lockRows(tx, DELETION_RULES[noun].table, [id]);
  if (found === undefined) throw notFound(noun);
  const reason = (await reasons(tx, noun, [id])).get(id);
  if (reason) throw conflict(`The ${noun} ${reason}`);
}

async function reasons(tx: Transaction, noun: Deletable, ids: readonly number[]): Promise<Map<number, string>> {
  const { blockers, because } = DELETION_RULES[noun];
  const byId = new Map<number, string[]>();
  for (const { id, blocker } of await tx.$queryRawUnsafe<{ id: number; blocker: string }[]>(blockers, ids)) {
    const found = byId.get(id);
    if (found) found.push(blocker);
    else byId.set(id, [blocker]);
  }
  return new Map([...byId].map(([id, found]) => [id, `cannot be deleted: ${because(found)}`]));
}
