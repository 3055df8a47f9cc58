import { generateTenants } from '../generate.mjs';
import { alternate } from '../measure/alternate.mjs';
import { arrived } from '../measure/arrived.mjs';
import { sendUntilAccepted } from '../measure/closed-loop.mjs';
import { PILE_UP, delaysOf, pileUpRow } from '../measure/delays.mjs';
import { openLoop, openLoopAgent } from '../measure/open-loop.mjs';
import { row } from '../measure/row.mjs';
import { settle } from '../measure/settle.mjs';
import { BODY, createCrowd, trigger, webhook } from '../world/crowd.mjs';
import { createKeys } from '../world/keys.mjs';

const CONNECTIONS = 64;
const FLOOR_IS = 'nobody else waits';

export const tenants = {
  name: 'tenants',
  about: 'Many organizations trigger one message a second each, while messages of one more organization wait.',
  async run(world) {
    const { organizations, warmSeconds, seconds, waiting } = world.size.tenants;
    const database = await world.database();
    // Two sinks: the messages of the loud organization are counted apart.
    const sinks = { quiet: await world.sink('http'), loud: await world.sink('http') };
    world.progress.step(`creating ${organizations} organizations`);
    const quiet = await createTenants(database, organizations, sinks.quiet.facts.url);
    const loud = await createCrowd(world, database, {
      slug: 'loud',
      people: 1,
      channel: webhook(sinks.loud.facts.url),
    });
    const parts = { database, sinks, quiet, loud, api: await world.api(database), agent: openLoopAgent() };
    const load = {
      perSecond: organizations,
      // This load takes most of two cores. A new worker compiles its code under it, falls three seconds behind and needs twenty more to
      // catch up. The scenario `cold` measures new workers.
      warm: organizations * warmSeconds,
      triggers: organizations * seconds,
    };
    const alone = () => whileWaiting(world, parts, load, 0);
    world.progress.step('warm-up');
    await alone();
    const what = `while ${waiting.toLocaleString('en')} messages wait`;
    const service = () => whileWaiting(world, parts, load, waiting);
    const samples = await alternate(world, what, { service, floor: alone });
    await parts.agent.close();
    return {
      rows: [
        ...['p50', 'p99'].map((key) => row(`${what}, ${key}`, 'ms', key, samples, FLOOR_IS)),
        pileUpRow(what, samples),
        pileUpRow(FLOOR_IS, { service: samples.floor }),
      ],
      notes: [
        `${organizations.toLocaleString('en')} organizations, ${seconds} seconds a round after ${warmSeconds} to warm up. Each trigger reaches one user over one webhook.`,
        'The worker is new in each round, on both sides. The messages that wait were triggered one by one before it started.',
        'A trigger that a busy service refuses is sent again; its delay counts from the first time.',
        PILE_UP,
      ],
    };
  },
};

/** Creates organizations with a key and one user each, who is notified over a webhook. */
async function createTenants(database, organizations, url) {
  await generateTenants(database, organizations, 1);
  await database.query(`update channels set type = 'webhook', config = $1 where slug = 'out'`, [{ url }]);
  const found = await database.query('select id, slug from organizations order by id');
  const keys = await createKeys(
    database,
    found.map(({ id }) => id),
  );
  return found.map(({ slug }, i) => ({ headers: keys[i], paths: { told: `/api/o/${slug}/p/p/a/a/e/told/trigger/` } }));
}

/** Triggers for all organizations in turn, with a new worker that finds `waiting` messages of one other organization. */
async function whileWaiting(
  world,
  { database, sinks, quiet, loud, api, agent },
  { perSecond, warm, triggers },
  waiting,
) {
  for (const sink of Object.values(sinks)) await sink.ask('reset');
  if (waiting > 0) await triggerLoud(api, loud, waiting);
  const worker = await world.worker(database);
  if (waiting > 0) await arrived(world, database, sinks.loud, 1);
  const sendNext = (number) => trigger(api, quiet[number % quiet.length], agent);
  const sent = await openLoop(perSecond, (count) => count < warm + triggers, sendNext);
  await settle(world, database, sent.length + waiting, [
    [sinks.quiet, sent.length],
    [sinks.loud, waiting],
  ]);
  await world.stop(worker);
  return delaysOf(sinks.quiet, sent.slice(warm));
}

function triggerLoud(api, { headers, paths }, waiting) {
  const target = { url: api.url + paths.told, method: 'POST', headers, body: BODY, status: 201 };
  return sendUntilAccepted(target, CONNECTIONS, waiting);
}
