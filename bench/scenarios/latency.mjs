import { Agent, request } from 'undici';
import { DoesNotAddUp } from '../add-up.mjs';
import { alternate } from '../alternate.mjs';
import { arrived } from '../arrived.mjs';
import { now } from '../clock.mjs';
import { createCrowd, trigger, webhook } from '../crowd.mjs';
import { checkCounts } from '../fan-out.mjs';
import { openLoop } from '../open-loop.mjs';
import { row } from '../row.mjs';
import { percentile } from '../statistics.mjs';

const FLOOR_IS = 'straight to the sink';

export const latency = {
  name: 'latency',
  about: 'From the trigger being sent to its message arriving, when triggers come at fixed times whatever comes back.',
  async run(world) {
    const { rates, seconds } = world.size.latency;
    const database = await world.database();
    const sink = await world.sink('http');
    const channel = webhook(sink.facts.url);
    const crowd = await createCrowd(world, database, { slug: 'bench', people: 1, channel });
    const parts = { database, sink, crowd, api: await world.api(database), agent: new Agent() };
    await world.worker(database);
    const rows = [];
    for (const perSecond of rates) {
      const triggers = perSecond * seconds;
      world.progress.step(`${perSecond} a second, warm-up`);
      await triggered(world, parts, perSecond, triggers);
      const sides = {
        service: () => triggered(world, parts, perSecond, triggers),
        floor: () => straight(parts, perSecond, triggers),
      };
      const samples = await alternate(world, `${perSecond} a second`, sides);
      for (const key of ['p50', 'p99']) rows.push(row(`${perSecond} a second, ${key}`, 'ms', key, samples, FLOOR_IS));
    }
    await parts.agent.close();
    return { rows, notes: [`${seconds} seconds a round. Each trigger reaches one person over one webhook.`] };
  },
};

async function triggered(world, { database, api, sink, crowd, agent }, perSecond, triggers) {
  await sink.ask('reset');
  const sent = await openLoop(
    perSecond,
    (count) => count < triggers,
    () => trigger(api, crowd, agent),
  );
  await arrived(world, database, sink, triggers);
  await database.drained();
  await checkCounts(database, await sink.ask('summary'), triggers, triggers);
  await database.forget();
  return percentilesOf(await delaysOf(sink, sent));
}

/** The share of the one who sends and of the one who receives. */
async function straight({ sink, agent }, perSecond, triggers) {
  const { headers, body } = await sink.ask('sample');
  await sink.ask('reset');
  const sent = await openLoop(
    perSecond,
    (count) => count < triggers,
    async (number) => {
      const sentAt = now();
      const id = `floor-${number}.${number}`;
      const answer = await request(sink.facts.url, {
        method: 'POST',
        headers: { ...headers, 'webhook-id': id },
        body,
        dispatcher: agent,
      });
      await answer.body.dump();
      return { occurrence: `floor-${number}`, sentAt };
    },
  );
  return percentilesOf(await delaysOf(sink, sent));
}

/** How long each trigger took to arrive; every one did, once. */
export async function delaysOf(sink, sent) {
  const arrivals = new Map(await sink.ask('occurrences'));
  return sent.map(({ occurrence, sentAt }) => {
    const { at, received } = arrivals.get(occurrence) ?? { received: 0 };
    if (received !== 1) throw new DoesNotAddUp(`${occurrence} arrived ${received} times`);
    return at - sentAt;
  });
}

export const percentilesOf = (delays) => ({ p50: percentile(delays, 50), p99: percentile(delays, 99) });
