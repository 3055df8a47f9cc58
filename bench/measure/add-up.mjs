/** A run that lost or made something: it has no result. */
export class DoesNotAddUp extends Error {}

/**
 * Compares what was counted with what it must be.
 * @param {Record<string, [counted: number, expected: number]>} counts
 */
export function addUp(counts) {
  const wrong = Object.entries(counts).filter(([, [counted, expected]]) => counted !== expected);
  if (wrong.length === 0) return;
  const sentences = wrong.map(([what, [counted, expected]]) => `${what}: ${counted} instead of ${expected}`);
  throw new DoesNotAddUp(`the counts do not add up: ${sentences.join('; ')}`);
}
