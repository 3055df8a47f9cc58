import { setTimeout as sleep } from 'node:timers/promises';
import { DoesNotAddUp } from './add-up.mjs';

const LOOK_MS = 100;
const STALL_MS = 60_000;

/**
 * Waits until the sink has the expected number of messages, or until no job is left that could send one. In the second case
 * messages were lost, and the check of the counts fails.
 * @param {import('../world.mjs').World} world
 * @param {import('../world/database.mjs').Database} database
 * @param {import('../world/part.mjs').Part} sink
 */
export async function arrived(world, database, sink, expected) {
  let received = -1;
  let changedAt = Date.now();
  for (;;) {
    const wasIdle = await database.isIdle();
    const latest = await sink.ask('received');
    world.progress.count(latest, expected, 'arrived');
    if (latest >= expected || (wasIdle && latest === received)) return;
    if (latest !== received) changedAt = Date.now();
    if (Date.now() - changedAt > STALL_MS) {
      throw new DoesNotAddUp(`nothing arrived for ${STALL_MS / 1000} s: ${latest} of ${expected} messages`);
    }
    received = latest;
    await sleep(LOOK_MS);
  }
}
