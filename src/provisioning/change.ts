import { isDeepStrictEqual } from 'node:util';

/** One thing that was, or would be, changed. */
export interface Change {
  verb: 'create' | 'update' | 'delete';
  noun: string;
  name: string;
  /** With `update` of a single thing: what exactly. */
  differences?: Difference[];
}

/** A field's value before and after; neither for a secret. */
export interface Difference {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** What differs between two sets of fields; what is not set counts as null. */
export function differencesOf(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  prefix = '',
): Difference[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field: prefix + field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((difference) => !isDeepStrictEqual(difference.before, difference.after));
}

/** The counts of what is changed in sets. */
export function counted(verb: Change['verb'], count: number, noun: string, parent: string): Change[] {
  if (count === 0) return [];
  const plural = count === 1 ? noun : noun.endsWith('s') ? `${noun}es` : `${noun}s`;
  return [{ verb, noun: `${count.toLocaleString('en')} ${plural}`, name: `in ${parent}` }];
}

export const deletionsOf = (changes: Change[]) => changes.filter(({ verb }) => verb === 'delete');
