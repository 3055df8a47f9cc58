import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { addUp } from '../measure/add-up.mjs';
import { alternate } from '../measure/alternate.mjs';
import { arrived } from '../measure/arrived.mjs';
import { now } from '../measure/clock.mjs';
import { costOf } from '../measure/cost.mjs';
import { delaysOf } from '../measure/delays.mjs';
import { openLoop } from '../measure/open-loop.mjs';
import { row, rowWithCpu } from '../measure/row.mjs';
import { triggerEach } from '../measure/trigger-each.mjs';
import { BODY, createCrowd, trigger, webhook } from '../world/crowd.mjs';

/** Items in each digest. */
const ITEMS = 2;
const QUIET_PER_SECOND = 5;

export const digest = {
  name: 'digest',
  about: `Each user has an open digest of ${ITEMS} items over one webhook. All digests are due at the same time.`,
  async run(world) {
    const { people, triggers } = world.size.digest;
    const database = await world.database();
    const sinks = { loud: await world.sink('http'), quiet: await world.sink('http') };
    const settings = { notification: { digest: { window: '1d' } } };
    const create = (slug, size, sink, more = {}) =>
      createCrowd(world, database, { slug, people: size, channel: webhook(sink.facts.url), ...more });
    const crowds = {
      loud: await create('loud', people, sinks.loud, { settings }),
      quiet: await create('quiet', 1, sinks.quiet),
      one: await create('one', 1, sinks.loud),
    };
    const [api, worker] = [await world.api(database), await world.worker(database)];
    const parts = { database, sinks, crowds, api, worker, agent: new Agent() };
    const sides = {
      service: () => closeAll(world, parts),
      floor: () => triggerEach(world, { database, api, worker, sink: sinks.loud }, crowds.one, triggers, () => BODY),
    };
    world.progress.step('warm-up');
    for (const side of Object.values(sides)) await side();
    const what = `${people.toLocaleString('en')} digests`;
    const samples = await alternate(world, what, sides);
    await parts.agent.close();
    return {
      rows: [
        rowWithCpu(what, '/s', 'rate', samples, 'messages of single triggers'),
        ...['p50', 'p99'].map((key) =>
          row(`another organization meanwhile, ${key}`, 'ms', key, { service: samples.service }),
        ),
      ],
      notes: [
        `From the time when they are due to the last arrival. The other organization triggers ${QUIET_PER_SECOND} times a second.`,
      ],
    };
  },
};

async function closeAll(world, { database, sinks, crowds, api, worker, agent }) {
  const { people } = crowds.loud;
  for (const sink of Object.values(sinks)) await sink.ask('reset');
  for (let n = 0; n < ITEMS; n++) {
    await trigger(api, crowds.loud);
    await database.drained();
  }
  let isOver = false;
  const { sent, start, ...cost } = await costOf(world, [api, worker], people, async () => {
    const start = now();
    await database.query('update digests set due_at = now()');
    const quiet = openLoop(
      QUIET_PER_SECOND,
      (count) => !isOver || count === 0,
      () => trigger(api, crowds.quiet, agent),
    );
    const over = arriveAll(world, database, sinks.loud, people).finally(() => (isOver = true));
    const [sent] = await Promise.all([quiet, over]);
    await arrived(world, database, sinks.quiet, sent.length);
    await database.drained();
    return { sent, start };
  });
  const { received, distinct, lastAt } = await sinks.loud.ask('summary');
  const counts = await database.counts();
  addUp({
    'digests received': [received, people],
    'different digests received': [distinct, people],
    'deliveries sent': [counts.sent, people + sent.length],
    'deliveries made': [counts.deliveries, people * (ITEMS + 1) + sent.length],
    'jobs left': [counts.jobs, 0],
  });
  const delays = await delaysOf(sinks.quiet, sent);
  await database.forget();
  return { ...cost, ...delays, rate: people / ((lastAt - start) / 1000) };
}

/** Digests that are still open are no jobs. */
async function arriveAll(world, database, sink, people) {
  while ((await database.query('select from digests limit 1')).length > 0) await sleep(100);
  await arrived(world, database, sink, people);
}
