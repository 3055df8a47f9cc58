import { conflict } from './problem.js';

const MAX_NAMED = 10;

/** Refuses the deletion and lists what still uses it. */
export function refuseIfUsed(noun: string, users: readonly string[]): void {
  if (users.length === 0) return;
  const more = users.length - MAX_NAMED;
  const named = users.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  throw conflict(`The ${noun} cannot be deleted: ${named} ${users.length === 1 ? 'uses' : 'use'} it.`);
}
