/** A request that was on its way when its process was killed reaches the sink a little later. */
const ON_THE_WAY_MS = 250;

/**
 * The messages that arrived again, each with the number of its kill. A repeat belongs to the first kill after the arrival before it: a process writes
 * an outcome within milliseconds, unless it is killed. A repeat without a kill before it has null.
 * @param {Pick<import('./facts.mjs').Facts, 'kills' | 'calls'>} facts
 */
export function repeatsOf({ kills, calls }) {
  const repeats = [];
  for (const [id, all] of calls) {
    const arrivals = all.filter(([, status]) => status === 200).map(([at]) => at);
    for (let again = 1; again < arrivals.length; again++) {
      const kill = kills.findIndex((at) => at >= arrivals[again - 1] - ON_THE_WAY_MS);
      const isCause = kill !== -1 && kills[kill] <= arrivals[again];
      repeats.push({ id, at: arrivals[again], kill: isCause ? kill : null });
    }
  }
  return repeats;
}
