import type { Difference, PutRow } from '../../prisma/put-row.js';

/** One thing that was, or would be, changed. */
export interface Change {
  verb: 'create' | 'update' | 'delete';
  noun: string;
  name: string;
  /** With `update` of a single thing: what exactly. */
  differences?: Difference[];
}

/** What became of one row; nothing when it agreed already. */
export function changesOf(noun: string, name: string, { verb, differences }: Omit<PutRow, 'id'>): Change[] {
  if (!verb) return [];
  return [{ verb, noun, name, ...(verb === 'update' && { differences }) }];
}

/** The counts of what is changed in sets. */
export function counted(verb: Change['verb'], count: number, noun: string, parent: string): Change[] {
  if (count === 0) return [];
  const plural = count === 1 ? noun : noun.endsWith('s') ? `${noun}es` : `${noun}s`;
  return [{ verb, noun: `${count.toLocaleString('en')} ${plural}`, name: `in ${parent}` }];
}

export const deletionsOf = (changes: Change[]) => changes.filter(({ verb }) => verb === 'delete');
