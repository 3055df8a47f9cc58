// Attacks the service as one tenant and measures another one: `npm run attack`, or `npm run attack -- ATTACK ...`.
import { setTimeout as sleep } from 'node:timers/promises';
import { interrupted } from '../interrupted.mjs';
import { watchMemory } from '../measure/processes.mjs';
import { UsageError } from '../options.mjs';
import { machineOf, warnings } from '../report/machine.mjs';
import { Progress } from '../report/progress.mjs';
import { World } from '../world.mjs';
import { createCrowd, mail, webhook } from '../world/crowd.mjs';
import { Postgres } from '../world/postgres.mjs';
import { ATTACKS } from './attacks.mjs';
import { readOptions } from './options.mjs';
import { Quiet } from './quiet.mjs';
import { textTable } from './table.mjs';
import { MOST_GROWTH_MB, MOST_MS, brokenPromises, isBusy } from './verdict.mjs';

const WARM_UP_SECONDS = 3;
const BEFORE_SECONDS = 5;
/** The attack begins this long before the measurement, and ends after it. */
const HEAD_START_SECONDS = 2;

const progress = new Progress();

/**
 * @param {World} world
 * @param {import('./attacks.mjs').Attack} attack
 * @returns {Promise<import('./verdict.mjs').Result>}
 */
async function measure(world, attack, seconds) {
  progress.step('starting');
  const database = await world.database('attack');
  const sink = await world.sink(attack.sink ?? 'http');
  const attacker = await world.attacker(attack.name);
  const own = sink.facts.url ? webhook(sink.facts.url) : mail(sink.facts.port);
  const crowds = {
    quiet: await createCrowd(world, database, { slug: 'quiet', people: 1, channel: own }),
    attacker: await createCrowd(world, database, {
      slug: 'attacker',
      people: attack.people ?? 1,
      channel: attack.channels?.(attacker.facts, sink.facts),
    }),
  };
  await attack.fill?.(database, crowds.attacker.organizationId);
  await database.query('analyze');
  const service = await world.all(database, { settings: attack.environment?.(attacker.facts) });
  const quiet = new Quiet(service, crowds.quiet, sink);
  progress.step('warm-up');
  await quiet.measure(WARM_UP_SECONDS);
  progress.step('before the attack');
  const before = await quiet.measure(BEFORE_SECONDS);
  progress.step('under the attack');
  const memory = watchMemory({ service: service.pid });
  const { headers, paths } = crowds.attacker;
  const target = { url: service.url, databaseUrl: database.url, headers, paths };
  const ended = attacker.ask('run', { ...target, seconds: seconds + HEAD_START_SECONDS });
  await sleep(HEAD_START_SECONDS * 1000);
  const under = await quiet.measure(seconds);
  const answers = await ended;
  const { beforeMb, maxMb } = memory.stop().service;
  return { name: attack.name, quiet: { before, under }, memory: { before: beforeMb, peak: maxMb }, answers };
}

async function runAll({ chosen, seconds }) {
  const postgres = await Postgres.start();
  try {
    for (const warning of warnings(await machineOf(postgres))) console.error(`warning: ${warning}`);
    const results = [];
    for (const attack of chosen) {
      progress.begin(attack.name);
      const world = new World(postgres, {}, progress);
      try {
        results.push(await Promise.race([measure(world, attack, seconds), world.broken, interrupted]));
      } finally {
        progress.end();
        await world.close();
      }
    }
    return results;
  } finally {
    await postgres.stop();
  }
}

function report(results) {
  console.log(`${textTable(results)}\n`);
  console.log(
    `Each attack may cost the other tenant a p99 of ${MOST_MS} ms, and the process ${MOST_GROWTH_MB} MB. Triggers are measured until their message arrived.`,
  );
  const problems = results.flatMap((result) => {
    if (isBusy(result)) return [`BUSY: ${result.name}: slow before the attack. Run it again on a quiet machine.`];
    const broken = brokenPromises(result);
    return broken.length === 0 ? [] : [`FAILED: ${result.name}: ${broken.join(', ')}`];
  });
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
}

try {
  process.exit(report(await runAll(readOptions(process.argv.slice(2), ATTACKS))));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : `attack: ${error.message}`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
