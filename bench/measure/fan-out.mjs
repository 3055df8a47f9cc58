import { arrived } from './arrived.mjs';
import { costOf } from './cost.mjs';
import { trigger } from '../world/crowd.mjs';
import { watchMemory } from './processes.mjs';
import { checkCounts } from './settle.mjs';

/**
 * Triggers one event that reaches everyone in a crowd. Measures the time of each step after the 201, and the cost. Checks the
 * counts, then deletes the occurrence.
 * @param {import('../world.mjs').World} world
 */
export async function fanOut(world, { database, api, worker, sink }, crowd) {
  const { people } = crowd;
  await sink.ask('reset');
  const memory = watchMemory({ api: api.pid, worker: worker.pid });
  const { triggered, ...cost } = await costOf(world, [api, worker], people, async () => {
    const triggered = await trigger(api, crowd);
    await arrived(world, database, sink, people);
    await database.drained();
    return { triggered };
  });
  const summary = await sink.ask('summary');
  await checkCounts(database, summary, 1, people);
  const times = await timesOf(database, triggered, summary);
  await database.forget();
  return { ...times, ...cost, rate: people / (times.arrivedMs / 1000), ...flat(memory.stop()) };
}

async function timesOf(database, { occurrence, answeredAt, wallAt }, { firstAt, lastAt }) {
  const [row] = await database.query('select expanded_at "expandedAt" from occurrences where id = $1', [occurrence]);
  return { firstMs: firstAt - answeredAt, expandedMs: row.expandedAt - wallAt, arrivedMs: lastAt - answeredAt };
}

const flat = ({ api, worker }) => ({
  apiMb: api.maxMb,
  apiBeforeMb: api.beforeMb,
  workerMb: worker.maxMb,
  workerBeforeMb: worker.beforeMb,
});
