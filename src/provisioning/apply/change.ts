import type { Difference, PutRow } from '../../prisma/put-row.js';

/** One change that was applied, or would be without a dry run. */
export interface Change {
  verb: 'create' | 'update' | 'delete';
  noun: string;
  name: string;
  /** The changed fields of an `update` of a single row. */
  differences?: Difference[];
}

/** The change of one row; empty if nothing changed. */
export function changesOf(noun: string, name: string, { verb, differences }: Omit<PutRow, 'id'>): Change[] {
  if (!verb) return [];
  return [{ verb, noun, name, ...(verb === 'update' && { differences }) }];
}

/** One change that stands for `count` rows; empty if `count` is 0. */
export function countedChange(verb: Change['verb'], count: number, noun: string, parent: string): Change[] {
  if (count === 0) return [];
  const plural = count === 1 ? noun : noun.endsWith('s') ? `${noun}es` : `${noun}s`;
  return [{ verb, noun: `${count.toLocaleString('en')} ${plural}`, name: `in ${parent}` }];
}

export const deletionsOf = (changes: Change[]) => changes.filter(({ verb }) => verb === 'delete');
