import { alternate } from './alternate.mjs';
import { createCrowd } from '../world/crowd.mjs';
import { fanOut } from './fan-out.mjs';
import { rowWithCpu } from './row.mjs';
import { sendBare } from './send-bare.mjs';

/**
 * @typedef {object} Way
 * @property {'http' | 'smtp' | 'push'} sinkKind
 * @property {string} floorKind
 * @property {(facts: any) => object} channelTo
 * @property {string} floorIs
 * @property {number} [people] messages of a round
 * @property {{ name: string, value: string }} [address] see `createCrowd`
 * @property {(facts: any) => Record<string, string>} [settingsFor] environment variables of the service for a sink
 * @property {{ what: string, people: number, sinkOptions: object, floorIs: string }} [other] another sink of the same kind, whose
 *   floor is the service with the first sink
 */

/**
 * Compares the messages per second of one worker over one channel with a bare loop that sends the same messages.
 * @param {import('../world.mjs').World} world
 * @param {Way} way
 */
export async function drain(world, { sinkKind, floorKind, channelTo, floorIs, other, ...way }) {
  const { people = world.size.drain, address, settingsFor = () => ({}) } = way;
  const database = await world.database();
  const floor = await world.floor(floorKind);
  const first = await world.sink(sinkKind);
  world.settings = settingsFor(first.facts);
  const services = { api: await world.api(database), worker: await world.worker(database) };
  const reach = async (slug, people, sink) => {
    const crowd = await createCrowd(world, database, { slug, people, address, channel: channelTo(sink.facts) });
    return () => fanOut(world, { ...services, database, sink }, crowd);
  };
  const sides = {
    service: await reach('bench', people, first),
    floor: () => sendBare(world, { sink: first, floor }, people),
  };
  if (other) sides.other = await reach('other', other.people, await world.sink(sinkKind, other.sinkOptions));
  world.progress.step('warm-up');
  for (const side of Object.values(sides)) await side();
  const what = `${people.toLocaleString('en')} messages`;
  const samples = await alternate(world, what, sides);
  const rows = [rowWithCpu(what, '/s', 'rate', samples, floorIs)];
  if (other) {
    const pair = { service: samples.other, floor: samples.service };
    rows.push(rowWithCpu(`${other.people.toLocaleString('en')} ${other.what}`, '/s', 'rate', pair, other.floorIs));
  }
  return { rows, notes: ['From the 201 to the last arrival, including expansion.'] };
}
