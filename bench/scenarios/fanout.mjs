import { addUp } from '../measure/add-up.mjs';
import { alternate } from '../measure/alternate.mjs';
import { createCrowd, webhook } from '../world/crowd.mjs';
import { fanOut } from '../measure/fan-out.mjs';
import { expandAtOnce } from '../floors/expand.mjs';
import { row, rowWithCpu } from '../measure/row.mjs';
import { BARE_POST, sendBare } from '../measure/send-bare.mjs';

export const fanout = {
  name: 'fanout',
  about: 'One trigger that reaches every member of a list over one webhook, with one worker. Times start at the 201.',
  async run(world) {
    const database = await world.database();
    const sink = await world.sink('http');
    const channel = webhook(sink.facts.url);
    const floor = await world.floor('post');
    const parts = { database, sink, floor, api: await world.api(database), worker: await world.worker(database) };
    const rows = [];
    for (const people of world.size.fanout) {
      world.progress.step(`creating ${people} people`);
      const crowd = await createCrowd(world, database, { slug: `crowd-${people}`, people, channel });
      if (rows.length === 0) await warmUp(world, parts, crowd);
      const samples = await alternate(world, `${people} people`, {
        service: () => fanOut(world, parts, crowd),
        floor: () => bare(world, parts, crowd),
      });
      rows.push(...rowsOf(people.toLocaleString('en'), samples));
    }
    return { rows, notes: ['CPU is the sum of api and worker. Memory is the highest of ten samples a second.'] };
  },
};

async function warmUp(world, parts, crowd) {
  world.progress.step('warm-up');
  for (let i = 0; i < 3; i++) {
    await fanOut(world, parts, crowd);
    await bare(world, parts, crowd);
  }
}

async function bare(world, parts, crowd) {
  const expandedMs = await expandAtOnce(parts.database, crowd);
  const { deliveries } = await parts.database.counts();
  addUp({ 'deliveries of the floor': [deliveries, crowd.people] });
  await parts.database.forget();
  return { expandedMs, ...(await sendBare(world, parts, crowd.people)) };
}

const rowsOf = (people, samples) => [
  row(`${people}: first arrival`, 'ms', 'firstMs', samples),
  row(`${people}: all expanded`, 'ms', 'expandedMs', samples, 'one INSERT .. SELECT'),
  rowWithCpu(`${people}: all arrived`, 'ms', 'arrivedMs', samples, BARE_POST),
  row(`${people}: memory of the api`, 'MB', 'apiMb', samples),
  row(`${people}: memory of the worker`, 'MB', 'workerMb', samples),
];
