import { alternate } from './alternate.mjs';
import { createCrowd } from '../world/crowd.mjs';
import { fanOut } from './fan-out.mjs';
import { rowWithCpu } from './row.mjs';
import { sendBare } from './send-bare.mjs';

/**
 * Compares the messages per second of one worker over one channel with a bare loop that sends the same messages.
 * @param {import('../world.mjs').World} world
 * @param {{ sinkKind: 'http' | 'smtp', floorKind: string, channelTo: (facts: any) => object, floorIs: string }} way
 */
export async function drain(world, { sinkKind, floorKind, channelTo, floorIs }) {
  const people = world.size.drain;
  const database = await world.database();
  const sink = await world.sink(sinkKind);
  const floor = await world.floor(floorKind);
  const crowd = await createCrowd(world, database, { slug: 'bench', people, channel: channelTo(sink.facts) });
  const parts = { database, sink, floor, api: await world.api(database), worker: await world.worker(database) };
  const sides = { service: () => fanOut(world, parts, crowd), floor: () => sendBare(world, parts, people) };
  world.progress.step('warm-up');
  await sides.service();
  await sides.floor();
  const what = `${people.toLocaleString('en')} messages`;
  const samples = await alternate(world, what, sides);
  return {
    rows: [rowWithCpu(what, '/s', 'rate', samples, floorIs)],
    notes: ['From the 201 to the last arrival, including expansion.'],
  };
}
