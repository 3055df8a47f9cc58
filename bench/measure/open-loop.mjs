import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { now } from './clock.mjs';

/**
 * The connections of an open loop. There are fewer of them than the 511 that Node lets wait to be accepted, and an idle one closes
 * long before the service closes it (5 s): a service that is late must not reset a connection.
 */
export const openLoopAgent = () => new Agent({ connections: 400, keepAliveMaxTimeout: 2_000 });

/**
 * Sends at fixed times without waiting for answers, so that a slow receiver gets the same load.
 * @template Result
 * @param {number} perSecond
 * @param {(sent: number) => boolean} goesOn
 * @param {(number: number) => Promise<Result>} send
 * @returns {Promise<Result[]>}
 */
export async function openLoop(perSecond, goesOn, send) {
  const answers = [];
  const failures = [];
  const start = now();
  const dueAt = (number) => start + (number * 1000) / perSecond;
  while (goesOn(answers.length)) {
    const wait = dueAt(answers.length) - now();
    if (wait > 0) await sleep(Math.ceil(wait));
    // Sends everything that is due by now, so that a late timer catches up.
    else answers.push(send(answers.length).catch((error) => void failures.push(error)));
  }
  const results = await Promise.all(answers);
  if (failures.length > 0) throw failures[0];
  return results;
}
