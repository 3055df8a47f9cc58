import { alternate } from './alternate.mjs';
import { createCrowd } from '../world/crowd.mjs';
import { fanOut } from './fan-out.mjs';
import { rowWithCpu } from './row.mjs';
import { sendBare } from './send-bare.mjs';

/**
 * @typedef {object} Way
 * @property {'http' | 'smtp'} sinkKind
 * @property {string} floorKind
 * @property {(facts: any) => object} channelTo
 * @property {string} floorIs
 * @property {{ what: string, people: number, sinkOptions: object, floorIs: string }} [other] another sink of the same kind, whose
 *   floor is the service with the first sink
 */

/**
 * Compares the messages per second of one worker over one channel with a bare loop that sends the same messages.
 * @param {import('../world.mjs').World} world
 * @param {Way} way
 */
export async function drain(world, { sinkKind, floorKind, channelTo, floorIs, other }) {
  const people = world.size.drain;
  const database = await world.database();
  const floor = await world.floor(floorKind);
  const services = { api: await world.api(database), worker: await world.worker(database) };
  const reach = async (slug, people, options) => {
    const sink = await world.sink(sinkKind, options);
    const crowd = await createCrowd(world, database, { slug, people, channel: channelTo(sink.facts) });
    return { sink, run: () => fanOut(world, { ...services, database, sink }, crowd) };
  };
  const { sink, run } = await reach('bench', people);
  const sides = { service: run, floor: () => sendBare(world, { sink, floor }, people) };
  if (other) sides.other = (await reach('other', other.people, other.sinkOptions)).run;
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
