/** Thrown when a run lost or duplicated something. Such a run has no result. */
export class DoesNotAddUp extends Error {}

let all = {};

/**
 * Compares each count with its expected value.
 * @param {Record<string, [counted: number, expected: number]>} counts
 */
export function addUp(counts) {
  const wrong = Object.entries(counts).filter(([, [counted, expected]]) => counted !== expected);
  for (const [what, [counted]] of Object.entries(counts)) all[what] = (all[what] ?? 0) + counted;
  if (wrong.length === 0) return;
  const sentences = wrong.map(([what, [counted, expected]]) => `${what}: ${counted} instead of ${expected}`);
  throw new DoesNotAddUp(`the counts do not add up: ${sentences.join('; ')}`);
}

/** Returns the sums of all counts since the last call. */
export function takeCounts() {
  const taken = all;
  all = {};
  return taken;
}
