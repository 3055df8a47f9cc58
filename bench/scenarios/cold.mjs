import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { alternate } from '../measure/alternate.mjs';
import { delaysOf } from '../measure/delays.mjs';
import { openLoop } from '../measure/open-loop.mjs';
import { row } from '../measure/row.mjs';
import { settle } from '../measure/settle.mjs';
import { createCrowd, trigger, webhook } from '../world/crowd.mjs';

const PER_SECOND = 50;
const MORE = 200; // messages after the first one; the second half of them is the floor
const READY_MS = 60_000;
const FLOOR_IS = `the same process, after ${MORE / 2} messages`;

export const cold = {
  name: 'cold',
  about: 'The first message of a process that has just started, triggered as soon as /health/ready answers 200.',
  async run(world) {
    const database = await world.database();
    const sink = await world.sink('http');
    const crowd = await createCrowd(world, database, { slug: 'bench', people: 1, channel: webhook(sink.facts.url) });
    const parts = { database, sink, crowd };
    const api = await world.api(database);
    const sides = {
      all: async () => tellFirst(world, parts, await world.all(database)),
      worker: async () => tellFirst(world, parts, await world.worker(database), api),
    };
    for (const [name, run] of Object.entries(sides)) {
      world.progress.step(`warm-up, ${name}`);
      await run();
    }
    const { all, worker } = await alternate(world, 'first message', sides);
    const rows = [
      row('api and worker in one new process', 'ms', 'ms', withFloor(all), FLOOR_IS),
      row('a new worker, with an api that was running', 'ms', 'ms', withFloor(worker), FLOOR_IS),
    ];
    return { rows, notes: ['From sending the trigger to the arrival. Each round starts a new process.'] };
  },
};

const withFloor = (samples) => ({
  service: samples.map(({ firstMs }) => ({ ms: firstMs })),
  floor: samples.map(({ warmMs }) => ({ ms: warmMs })),
});

/** Measures the first message of a process, and later ones. Then stops the process. */
async function tellFirst(world, { database, sink, crowd }, process, api = process) {
  await ready(process);
  await sink.ask('reset');
  const agent = new Agent();
  const send = () => trigger(api, crowd, agent);
  const first = await send();
  await firstArrived(sink);
  const more = await openLoop(PER_SECOND, (count) => count < MORE, send);
  await settle(world, database, 1 + MORE, [[sink, 1 + MORE]]);
  const { p50: firstMs } = await delaysOf(sink, [first]);
  const { p50: warmMs } = await delaysOf(sink, more.slice(MORE / 2));
  await agent.close();
  await world.stop(process);
  return { firstMs, warmMs };
}

async function ready({ url }) {
  await until(`${url} is not ready`, async () => {
    const { statusCode, body } = await request(`${url}/health/ready`);
    await body.dump();
    return statusCode === 200;
  });
}

const firstArrived = (sink) => until('the first message did not arrive', async () => (await sink.ask('received')) > 0);

async function until(problem, holds) {
  for (const deadline = Date.now() + READY_MS; !(await holds()); await sleep(5)) {
    if (Date.now() > deadline) throw new Error(`${problem} after ${READY_MS / 1000} s`);
  }
}
