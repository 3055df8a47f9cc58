import { Agent } from 'undici';
import { alternate } from '../measure/alternate.mjs';
import { delaysOf } from '../measure/delays.mjs';
import { arrived } from '../measure/arrived.mjs';
import { createCrowd, trigger, webhook } from '../world/crowd.mjs';
import { openLoop } from '../measure/open-loop.mjs';
import { row } from '../measure/row.mjs';
import { settle } from '../measure/settle.mjs';

const PER_SECOND = 5;
const FLOOR_IS = 'the same tenant alone';

export const noisy = {
  name: 'noisy',
  about: 'A quiet tenant, while the same worker sends a large occurrence of another tenant.',
  async run(world) {
    const { people, aloneSeconds } = world.size.noisy;
    const database = await world.database();
    // Two sinks, because each tenant has its own receiver.
    const sinks = { loud: await world.sink('http'), quiet: await world.sink('http') };
    const crowds = {};
    for (const [slug, size] of Object.entries({ loud: people, quiet: 1 })) {
      const channel = webhook(sinks[slug].facts.url);
      crowds[slug] = await createCrowd(world, database, { slug, people: size, channel });
    }
    const parts = { database, sinks, crowds, api: await world.api(database), agent: new Agent() };
    await world.worker(database);
    const alone = () => quietAlone(world, parts, PER_SECOND * aloneSeconds);
    world.progress.step('warm-up');
    await alone();
    const what = `during ${people.toLocaleString('en')} messages`;
    const samples = await alternate(world, what, { service: () => quietDuringLoud(world, parts), floor: alone });
    await parts.agent.close();
    const rows = ['p50', 'p99'].map((key) => row(`${what}, ${key}`, 'ms', key, samples, FLOOR_IS));
    return {
      rows,
      notes: [`The quiet tenant triggers ${PER_SECOND} times a second and reaches one user each time.`],
    };
  },
};

async function quietAlone(world, parts, triggers) {
  await reset(parts);
  const sent = await openLoop(
    PER_SECOND,
    (count) => count < triggers,
    () => triggerQuiet(parts),
  );
  return settled(world, parts, sent, 0);
}

async function quietDuringLoud(world, parts) {
  const { database, sinks, crowds, api } = parts;
  await reset(parts);
  await trigger(api, crowds.loud);
  await arrived(world, database, sinks.loud, 1);
  let isOver = false;
  const over = arrived(world, database, sinks.loud, crowds.loud.people).finally(() => (isOver = true));
  const quiet = openLoop(
    PER_SECOND,
    (count) => !isOver || count === 0,
    () => triggerQuiet(parts),
  );
  const [sent] = await Promise.all([quiet, over]);
  return settled(world, parts, sent, 1);
}

const triggerQuiet = ({ api, crowds, agent }) => trigger(api, crowds.quiet, agent);

async function reset({ sinks }) {
  for (const sink of Object.values(sinks)) await sink.ask('reset');
}

async function settled(world, { database, sinks, crowds }, sent, loudOnes) {
  await settle(world, database, sent.length + loudOnes, [
    [sinks.quiet, sent.length],
    [sinks.loud, loudOnes * crowds.loud.people],
  ]);
  return delaysOf(sinks.quiet, sent);
}
