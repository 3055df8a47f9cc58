import { addUp } from './add-up.mjs';

/** A service that refuses for longer than this many times is not only busy. */
export const MAX_TRIES = 60;

/**
 * How long a refused client waits, in milliseconds; null if the answer is no refusal. Counts the refusal.
 * @param {number} status
 * @param {string | undefined} retryAfter the header, in seconds
 * @param {number} tries
 */
export function waitAfter(status, retryAfter, tries) {
  if ((status !== 429 && status !== 503) || !retryAfter || tries >= MAX_TRIES) return null;
  countRefused(1);
  return Number(retryAfter) * 1000;
}

/** Notes in the report how many requests were refused and sent again. */
export const countRefused = (count) => addUp({ 'refused and sent again': [count, count] });
