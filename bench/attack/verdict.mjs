/** What every attack must leave to the other tenant, and of the process. */
export const MOST_MS = 1000;
export const MOST_GROWTH_MB = 512;

/**
 * @typedef {object} Result
 * @property {string} name of the attack
 * @property {{ before: number, peak: number }} memory of the process in MB; NaN where it cannot be read
 * @property {Record<'before' | 'under', Record<'triggers' | 'reads', import('./quiet.mjs').Delays>>} quiet
 * @property {Record<string, number>} answers to the attacker
 */

/**
 * The promises that did not hold.
 * @param {Result} result
 */
export function brokenPromises({ memory, quiet: { under } }) {
  const broken = [];
  for (const what of ['triggers', 'reads']) if (!(under[what].p99 < MOST_MS)) broken.push(`p99 of ${what}`);
  if (memory.peak - memory.before > MOST_GROWTH_MB) broken.push('memory');
  return broken;
}
