/** A request that was on its way when its process was killed reaches the sink a little later. */
const ON_THE_WAY_MS = 250;

/**
 * The messages that the provider accepted again, each with the number of its fault. A repeat belongs to the first fault that was not over at
 * the arrival before it: a process writes an outcome within milliseconds, unless a fault prevents it. A repeat without a fault has null.
 * @param {Pick<import('./facts.mjs').Facts, 'faults' | 'calls'>} facts
 */
export function repeatsOf({ faults, calls }) {
  const repeats = [];
  for (const [id, all] of calls) {
    const arrivals = all.filter(([, answer]) => answer === 'taken').map(([at]) => at);
    for (let again = 1; again < arrivals.length; again++) {
      const isCause = ({ from, until }) => until >= arrivals[again - 1] - ON_THE_WAY_MS && from <= arrivals[again];
      const fault = faults.findIndex(isCause);
      repeats.push({ id, at: arrivals[again], fault: fault === -1 ? null : fault });
    }
  }
  return repeats;
}
