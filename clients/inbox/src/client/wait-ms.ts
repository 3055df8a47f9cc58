const FIRST_MS = 1000;
const MOST_MS = 60_000;
const MOST_ASKED_MS = 600_000;

/**
 * How long to wait before the next connection after `failures` failures in a row. `random` from 0 to 1 spreads clients that lost their
 * connections together. The service may ask for a longer time, which is never cut short.
 */
export function waitMs(failures: number, askedMs: number, random: number): number {
  const backoff = Math.min(MOST_MS, FIRST_MS * 2 ** (failures - 1)) * (0.5 + random / 2);
  return Math.max(backoff, Math.min(askedMs, MOST_ASKED_MS) * (1 + random / 5));
}
