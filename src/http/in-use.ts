import { conflict } from './problem.js';

const MOST_NAMED = 10;

/** What others need is not deleted: they are named. */
export function refuseIfUsed(noun: string, users: readonly string[]): void {
  if (users.length === 0) return;
  const more = users.length - MOST_NAMED;
  const named = users.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  throw conflict(`The ${noun} cannot be deleted: ${named} ${users.length === 1 ? 'uses' : 'use'} it.`);
}
