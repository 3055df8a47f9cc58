import { arrived } from './arrived.mjs';
import { send } from './closed-loop.mjs';
import { costOf } from './cost.mjs';
import { checkCounts } from './settle.mjs';

export const CONNECTIONS = 64;

/** Triggers as fast as the answers come, and waits until the last message has arrived. */
export async function triggerEach(world, parts, { headers, paths }, triggers, body, connections = CONNECTIONS) {
  const { database, api, worker, sink } = parts;
  await sink.ask('reset');
  let number = 0;
  const next = () => ({ path: paths.told, headers, body: body(number++) });
  const target = { url: api.url, method: 'POST', status: 201, next };
  const { start, ...cost } = await costOf(world, [api, worker], triggers, async () => {
    const { start } = await send(target, connections, triggers);
    await arrived(world, database, sink, triggers);
    await database.drained();
    return { start };
  });
  const summary = await sink.ask('summary');
  await checkCounts(database, summary, triggers, triggers);
  await database.forget();
  return { ...cost, rate: triggers / ((summary.lastAt - start) / 1000) };
}
