import { setTimeout as pause } from 'node:timers/promises';

type Look<T> = () => T | null | undefined | false | Promise<T | null | undefined | false>;

/**
 * Looks every 20 ms until there is an answer, and gives it back. After `patienceMs` it fails and says what it waited for: a limit
 * for tests that fail, not a figure that a test asserts.
 */
export async function until<T>(patienceMs: number, look: Look<T>, what: () => string = () => String(look)): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await look();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${patienceMs} ms in vain for: ${what()}`);
    await pause(20);
  }
}
