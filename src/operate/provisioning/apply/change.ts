import type { Difference, PutRow } from '../../../platform/database/put-row.js';

/** One change that was applied, or would be without a dry run. */
export interface Change {
  verb: 'create' | 'update' | 'delete';
  noun: string;
  /** The path of the row; with `count`, of the row that they are in. */
  name: string;
  /** The change stands for this number of rows. */
  count?: number;
  /** The e-mails of deleted users, in order: all of them, or the first `ApplyOptions.maxNames`. */
  people?: string[];
  /** Of a layout or partial: the notifications that it is used for, as `shop/web/order-paid/Tell`, at most 1,000. */
  touches?: string[];
  /** The changed fields of an `update` of a single row. */
  differences?: Difference[];
}

/** The change of one row; empty if nothing changed. */
export function changesOf(noun: string, name: string, { verb, differences }: Omit<PutRow, 'id'>): Change[] {
  if (!verb) return [];
  return [{ verb, noun, name, ...(verb === 'update' && { differences }) }];
}

/** One change that stands for `count` rows in `name`; empty if `count` is 0. */
export function countedChange(verb: Change['verb'], count: number, noun: string, name: string): Change[] {
  return count === 0 ? [] : [{ verb, noun, name, count }];
}

export interface DeletedUsers {
  count: number;
  /** The e-mails of the first ones. */
  people: string[];
}

export const deletedUsers = (noun: string, name: string, { count, people: users }: DeletedUsers) =>
  countedChange('delete', count, noun, name).map((change): Change => ({ ...change, people: users }));

export const deletionsOf = (changes: Change[]) => changes.filter(({ verb }) => verb === 'delete');

export const DELETIONS_DIFFER =
  'the deletions differ from the approved plan, so nothing was applied: run the command again';
