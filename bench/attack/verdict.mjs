/** What every attack must leave to the other tenant, and of the process. */
export const MOST_MS = 1000;
export const MOST_GROWTH_MB = 512;
/** A machine that serves one quiet tenant slower than this, without an attack, is busy with something else. */
export const BUSY_MS = 250;

/**
 * @typedef {object} Result
 * @property {string} name of the attack
 * @property {{ before: number, peak: number }} memory of the process in MB; NaN where it cannot be read
 * @property {Record<'before' | 'under', Record<'triggers' | 'reads', import('./quiet.mjs').Delays>>} quiet
 * @property {Record<string, number>} answers to the attacker
 */

/**
 * Whether the machine was busy before the attack began: then the attack has no verdict.
 * @param {Result} result
 */
export const isBusy = ({ quiet: { before } }) => before.triggers.p99 >= BUSY_MS || before.reads.p99 >= BUSY_MS;

/**
 * The promises that did not hold.
 * @param {Result} result
 */
export function brokenPromises({ memory, quiet: { under }, answers }) {
  const broken = [];
  for (const what of ['triggers', 'reads']) if (!(under[what].p99 < MOST_MS)) broken.push(`p99 of ${what}`);
  if (memory.peak - memory.before > MOST_GROWTH_MB) broken.push('memory');
  if (answers.lost > 0) broken.push('what was accepted is lost');
  return broken;
}
