import { addUp } from './add-up.mjs';
import { costOf } from './cost.mjs';

/** In flight over one channel of a worker, and connections to one mail server: what the service allows itself. */
const IN_FLIGHT = 50;
const CONNECTIONS = 5;

/**
 * The floor of delivery: as many messages like the first that the sink got from the service, by the bare loop.
 * @param {import('./world.mjs').World} world
 * @param {{ sink: import('./part.mjs').Part, floor: import('./part.mjs').Part }} parts
 */
export async function sendBare(world, { sink, floor }, messages) {
  const sample = await sink.ask('sample');
  await sink.ask('reset');
  const order = { ...sink.facts, ...sample, messages, inFlight: IN_FLIGHT, connections: CONNECTIONS };
  const { ms, ...cost } = await costOf(world, [floor], messages, () => floor.ask('run', order));
  const { received, distinct } = await sink.ask('summary');
  addUp({ 'messages of the floor': [received, messages], 'different ones': [distinct, messages] });
  return { ...cost, arrivedMs: ms, rate: messages / (ms / 1000) };
}
