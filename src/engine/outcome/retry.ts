const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay before the next attempt, after each failure. */
const DELAYS = [5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
const JITTER = 0.2;

/** The time until the last attempt of a schedule is over. */
export const LONGEST_SCHEDULE_MS = DELAYS.reduce((sum, delay) => sum + delay, 0) * (1 + JITTER);

/**
 * When to try again after `failures` failures, or null to give up. `jitter` is a number from 0 to 1, so that messages that failed
 * together are not retried together. `patienceMs`: how long it is tried at all, from its first attempt. The time is never before the one that the provider asked for (`afterSeconds`).
 */
export function nextAttemptAt(
  failures: number,
  now: Date,
  jitter: number,
  afterSeconds = 0,
  patienceMs: number | null = null,
): Date | null {
  const delay = DELAYS[failures - 1];
  if (delay === undefined) return null;
  const wait = Math.max(delay * (1 + JITTER * (2 * jitter - 1)), afterSeconds * SECOND);
  if (patienceMs === null) return new Date(now.getTime() + wait);
  // By the schedule, because a message may have waited long for its first attempt. The last attempt comes when the patience ends.
  const left = patienceMs - DELAYS.slice(0, failures - 1).reduce((sum, each) => sum + each, 0);
  return left > 0 && afterSeconds * SECOND <= left ? new Date(now.getTime() + Math.min(wait, left)) : null;
}

const LONGEST_AFTER_SLOW_DOWN = 5 * MINUTE;

/**
 * When to try a message again that was refused because too many were sent. Soon at first, because the channel has slowed down, then twice
 * as long each time: the limit may be that of this one recipient.
 */
export function afterSlowDown(attempts: number, now: Date, jitter: number, afterSeconds = 0): Date {
  const delay = Math.min(2 ** attempts * SECOND, LONGEST_AFTER_SLOW_DOWN) * (0.5 + jitter);
  return new Date(now.getTime() + Math.max(delay, afterSeconds * SECOND));
}
