import { conflict, notFound } from '../../platform/http/problem.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import * as sql from './deletion.sql.js';

interface DeletionRule {
  table: Parameters<typeof lockRows>[1];
  /** SQL that finds the blockers of rows; $1 are the ids of the rows. */
  blockers: string;
  /** The reason for the refusal: the end of a sentence that begins with the name of the row. */
  because: (blockers: readonly string[]) => string;
  /** The blockers are inside the row. `apply --prune` deletes them first, each under its own rule. */
  holds?: true;
}

const MAX_NAMED = 10;

const inUse = (blockers: readonly string[]) => {
  const more = blockers.length - MAX_NAMED;
  const named = blockers.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${named} ${blockers.length === 1 ? 'uses' : 'use'} it.`;
};
const unfinished = ([occurrence]: readonly string[]) => `${occurrence} is not done. Cancel it, or wait.`;

/**
 * The nouns whose rows cannot be deleted while something uses them. HTTP and `apply --prune` follow the same rules. Other nouns, such as
 * users, members and notifications, have no rule: a row is deleted together with everything in it.
 */
export const DELETION_RULES = {
  organization: {
    table: 'organizations',
    blockers: sql.PROJECTS_IN_ORGANIZATIONS,
    because: inUse,
    holds: true,
  },
  project: { table: 'projects', blockers: sql.APPLICATIONS_IN_PROJECTS, because: inUse, holds: true },
  application: { table: 'applications', blockers: sql.EVENTS_IN_APPLICATIONS, because: inUse, holds: true },
  event: { table: 'events', blockers: sql.OPEN_OCCURRENCES_OF_EVENTS, because: unfinished },
  channel: { table: 'channels', blockers: sql.USERS_OF_CHANNELS, because: inUse },
  layout: { table: 'layouts', blockers: sql.USERS_OF_LAYOUTS, because: inUse },
  partial: { table: 'partials', blockers: sql.USERS_OF_PARTIALS, because: inUse },
  'distribution list': { table: 'distribution_lists', blockers: sql.NOTIFICATIONS_TO_LISTS, because: inUse },
  category: { table: 'categories', blockers: sql.EVENTS_IN_CATEGORIES, because: inUse },
  address: { table: 'addresses', blockers: sql.LISTS_WITH_ADDRESSES, because: inUse },
} satisfies Record<string, DeletionRule>;

export type Deletable = keyof typeof DELETION_RULES;

const ruleOf = (noun: string): DeletionRule | undefined => (DELETION_RULES as Record<string, DeletionRule>)[noun];
export const tableOf = (noun: string) => ruleOf(noun)?.table;

/**
 * The reasons, by id, for the rows that cannot be deleted, such as `cannot be deleted: the notification Tell uses it.` Locks all rows first,
 * so that no other transaction can start to use one before it is deleted.
 */
export async function findBlocked(
  tx: Transaction,
  noun: Deletable,
  ids: readonly number[],
): Promise<Map<number, string>> {
  await lockRows(tx, DELETION_RULES[noun].table, ids);
  return reasonsOf(tx, DELETION_RULES[noun], ids);
}

/** For a request that deletes one row: throws 404 if the row does not exist, 409 if something uses it. Locks the row. */
export async function refuseIfBlocked(tx: Transaction, noun: string, id: number): Promise<void> {
  const rule = ruleOf(noun);
  if (!rule) return;
  const [found] = await lockRows(tx, rule.table, [id]);
  if (found === undefined) throw notFound(noun);
  const reason = (await reasonsOf(tx, rule, [id])).get(id);
  if (reason) throw conflict(`The ${noun} ${reason}`);
}

async function reasonsOf(
  tx: Transaction,
  { blockers, because }: DeletionRule,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const byId = new Map<number, string[]>();
  for (const { id, blocker } of await tx.$queryRawUnsafe<{ id: number; blocker: string }[]>(blockers, ids)) {
    const found = byId.get(id);
    if (found) found.push(blocker);
    else byId.set(id, [blocker]);
  }
  return new Map([...byId].map(([id, found]) => [id, `cannot be deleted: ${because(found)}`]));
}
