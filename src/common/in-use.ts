import { conflict } from './problem.js';
import type { Problem } from './problem.js';

const MOST_NAMED = 10;

/** For what cannot be deleted because others need it. */
export function inUse(noun: string, users: readonly string[]): Problem {
  const more = users.length - MOST_NAMED;
  const named = users.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return conflict(`The ${noun} cannot be deleted: ${named} ${users.length === 1 ? 'uses' : 'use'} it.`);
}
