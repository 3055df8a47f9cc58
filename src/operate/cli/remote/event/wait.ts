import { setTimeout as sleep } from 'node:timers/promises';
import type { OccurrenceDetail } from '../../../../../clients/typescript/src/schema.js';
import { CommandError } from '../../print/print.js';
import type { RemoteClient } from '../client.js';
import { api } from '../path.js';
import { isTransient } from '../transient.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** Reads an occurrence until nothing is left to be sent, it is held, or the time is over. Returns how it was then. */
export async function waitUntilDone(
  client: RemoteClient,
  organization: string,
  occurrence: string,
  limitSeconds: number,
): Promise<OccurrenceDetail> {
  const endsAt = performance.now() + limitSeconds * 1000;
  const path = api`/api/o/${organization}/occurrences/${occurrence}/`;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const left = endsAt - performance.now();
    try {
      const detail = await client.send<OccurrenceDetail>('GET', path);
      if (detail.done || detail.status === 'held' || left <= 0) return detail;
    } catch (error) {
      if (!isTransient(error) || left <= 0) throw error;
    }
    await sleep(Math.max(0, Math.min(pause, left)));
  }
}

/** A number of seconds that the user gave. */
export function seconds(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 86_400))
    throw new CommandError(`${option} must be a number of seconds, 0 to 86400, not "${text}"`);
  return number;
}
