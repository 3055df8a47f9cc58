import { request } from 'undici';
import { alternate } from '../measure/alternate.mjs';
import { arrived } from '../measure/arrived.mjs';
import { now } from '../measure/clock.mjs';
import { costOf } from '../measure/cost.mjs';
import { PILE_UP, delaysOf, pileUpRow } from '../measure/delays.mjs';
import { openLoop, openLoopAgent } from '../measure/open-loop.mjs';
import { row, rowWithCpu } from '../measure/row.mjs';
import { checkCounts } from '../measure/settle.mjs';
import { createCrowd, trigger, webhook } from '../world/crowd.mjs';

const FLOOR_IS = 'straight to the sink';

export const latency = {
  name: 'latency',
  about:
    'Time from sending a trigger to the arrival of its message. Triggers are sent at fixed times and do not wait for answers.',
  async run(world) {
    const { rates, seconds } = world.size.latency;
    const database = await world.database();
    const sink = await world.sink('http');
    const channel = webhook(sink.facts.url);
    const crowd = await createCrowd(world, database, { slug: 'bench', people: 1, channel });
    const services = [await world.api(database), await world.worker(database)];
    const parts = { database, sink, crowd, services, agent: openLoopAgent() };
    const rows = [];
    for (const perSecond of rates) {
      const load = { perSecond, triggers: perSecond * seconds };
      const what = `${perSecond.toLocaleString('en')} a second`;
      world.progress.step(`${what}, warm-up`);
      await triggered(world, parts, load);
      const samples = await alternate(world, what, {
        service: () => triggered(world, parts, load),
        floor: () => straight(parts, load),
      });
      rows.push(rowWithCpu(`${what}, p50`, 'ms', 'p50', samples, FLOOR_IS));
      rows.push(row(`${what}, p99`, 'ms', 'p99', samples, FLOOR_IS));
      rows.push(pileUpRow(what, samples));
    }
    await parts.agent.close();
    return { rows, notes: [`${seconds} seconds a round. Each trigger reaches one user over one webhook.`, PILE_UP] };
  },
};

async function triggered(world, { database, services, sink, crowd, agent }, { perSecond, triggers }) {
  await sink.ask('reset');
  const [api] = services;
  const { sent, ...cost } = await costOf(world, services, triggers, async () => {
    const send = () => trigger(api, crowd, agent);
    const sent = await openLoop(perSecond, (count) => count < triggers, send);
    await arrived(world, database, sink, triggers);
    await database.drained();
    return { sent };
  });
  await checkCounts(database, await sink.ask('summary'), triggers, triggers);
  await database.forget();
  return { ...cost, ...(await delaysOf(sink, sent)) };
}

/** Measures the share of the sender and the receiver alone. */
async function straight({ sink, agent }, { perSecond, triggers }) {
  const { headers, body } = await sink.ask('sample');
  await sink.ask('reset');
  const send = async (number) => {
    const sentAt = now();
    const occurrence = `floor-${number}`;
    const numbered = { ...headers, 'webhook-id': `${occurrence}.${number}` };
    const answer = await request(sink.facts.url, { method: 'POST', headers: numbered, body, dispatcher: agent });
    await answer.body.dump();
    return { occurrence, sentAt };
  };
  return delaysOf(sink, await openLoop(perSecond, (count) => count < triggers, send));
}
