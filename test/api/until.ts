import { setTimeout as pause } from 'node:timers/promises';

/** Looks again and again until there is an answer; fails when there is none in time. */
export async function until<T>(ms: number, look: () => Promise<T | null | undefined | false>): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await look();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`not so within ${ms} ms`);
    await pause(20);
  }
}
