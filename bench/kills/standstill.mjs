/** The first two retries are due 5 s and 30 s after a failure, at most a fifth later. */
const RETRY_MS = [6000, 36_000];

/**
 * The longest time from a kill until a call to the provider that was due before the kill. It includes the time to notice the
 * death of the process, further kills meanwhile, and the queue of a busy machine.
 * @param {import('./facts.mjs').Facts} facts
 */
export function longestStandstill({ accepted, canceled, kills, calls }) {
  let longest = 0;
  for (const [id, all] of calls) {
    const occurrence = id.split('.', 1)[0];
    if (!accepted.has(occurrence) || canceled.has(occurrence)) continue;
    let { dueAt } = accepted.get(occurrence);
    let failures = 0;
    for (const [at, status] of all) {
      const kill = kills.find((each) => each >= dueAt);
      if (kill < at) longest = Math.max(longest, at - kill);
      dueAt = status === 200 ? at : at + (RETRY_MS[failures++] ?? Infinity);
    }
  }
  return longest;
}
