import { POOL_LIMITS } from '../../dist/dispatcher/email/smtp-pool.js';
import { IN_FLIGHT_PER_CHANNEL } from '../../dist/engine/deliver/in-flight.js';
import { addUp } from './add-up.mjs';
import { costOf } from './cost.mjs';

// The limits of the service: messages in flight over one channel, and connections to one mail server.
const inFlight = IN_FLIGHT_PER_CHANNEL;
const { connections } = POOL_LIMITS;

export const BARE_POST = `bare undici, ${inFlight} in flight`;
export const BARE_HTTP2 = `bare node:http2, ${inFlight} in flight over one connection`;
export const BARE_SMTP = `prebuilt mail, ${connections} connections`;

/**
 * The floor of delivery: the bare loop sends copies of the first message that the sink got from the service.
 * @param {import('../world.mjs').World} world
 * @param {{ sink: import('../world/part.mjs').Part, floor: import('../world/part.mjs').Part }} parts
 */
export async function sendBare(world, { sink, floor }, messages) {
  const sample = await sink.ask('sample');
  await sink.ask('reset');
  const order = { ...sink.facts, ...sample, messages, inFlight, connections };
  const { ms, ...cost } = await costOf(world, [floor], messages, () => floor.ask('run', order));
  const { received, distinct } = await sink.ask('summary');
  addUp({ 'messages of the floor': [received, messages], 'different ones': [distinct, messages] });
  return { ...cost, arrivedMs: ms, rate: messages / (ms / 1000) };
}
