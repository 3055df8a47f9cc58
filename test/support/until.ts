import { setTimeout as pause } from 'node:timers/promises';

type Look<T> = () => T | null | undefined | false | Promise<T | null | undefined | false>;

/** Patience in milliseconds, eight times as long in CI, where the machine may be busy with something else. */
export const patient = (ms: number): number => (process.env.CI === 'true' ? ms * 8 : ms);

/**
 * Looks again and again until there is an answer, and gives it back: every 20 ms at first, every 100 ms in a long wait, where looking
 * would cost more than what is waited for. After `patienceMs` (longer in CI) it fails and says what it waited for: a limit
 * for tests that fail, not a figure that a test asserts.
 */
export async function until<T>(patienceMs: number, look: Look<T>, what: () => string = () => String(look)): Promise<T> {
  const start = Date.now();
  const limitMs = patient(patienceMs);
  for (;;) {
    const answer = await look();
    if (answer) return answer;
    const waited = Date.now() - start;
    if (waited > limitMs) throw new Error(`waited ${limitMs} ms in vain for: ${what()}`);
    await pause(Math.min(20 + waited / 20, 100));
  }
}
