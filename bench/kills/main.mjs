// Kills processes of the service under load and counts what became of every trigger: `npm run kills`.
import { interrupted } from '../interrupted.mjs';
import { now } from '../measure/clock.mjs';
import { UsageError } from '../options.mjs';
import { Progress } from '../report/progress.mjs';
import { World } from '../world.mjs';
import { Postgres } from '../world/postgres.mjs';
import { readFacts } from './facts.mjs';
import { Load, MOST_WAITING } from './load.mjs';
import { readOptions } from './options.mjs';
import { Processes } from './processes.mjs';
import { Random } from './random.mjs';
import { openWork, settled } from './settled.mjs';
import { isFailure, textTable } from './table.mjs';
import { verdict } from './verdict.mjs';

const progress = new Progress();

async function torture(world, { kills, seconds, seed }) {
  progress.step('starting three processes');
  const database = await world.database('kills');
  const sink = await world.sink('unreliable', { seed });
  const processes = new Processes(world, database, new Random(seed));
  const load = new Load(processes, new Random(seed + 1));
  await load.prepare(world, database, sink.facts.url);
  await processes.start();

  progress.step('killing');
  const startedAt = now();
  let isOver = false;
  const loaded = load.run(
    () => !isOver,
    () => openWork(database),
  );
  await processes.kill(kills, (seconds * 1000) / kills, (done) =>
    progress.count(done, kills, `kills, ${load.accepted.size.toLocaleString('en')} triggers accepted`),
  );
  isOver = true;
  const loadSeconds = (now() - startedAt) / 1000;
  await loaded;
  await processes.allRunning();
  await settled(progress, database, sink);
  return { facts: await readFacts(load, processes.kills, database, sink), load, processes, loadSeconds };
}

async function run(options) {
  console.error(
    `kills: ${options.kills} kills, about one every ${(options.seconds / options.kills).toFixed(1)} s, seed ${options.seed}`,
  );
  progress.begin('kills');
  const postgres = await Postgres.start();
  const world = new World(postgres, {}, progress);
  try {
    return await Promise.race([torture(world, options), world.broken, interrupted]);
  } finally {
    progress.end();
    await world.close();
    await postgres.stop();
  }
}

function report({ kills, seed }, { facts, load, processes, loadSeconds }) {
  const figures = verdict(facts);
  console.log(`${kills} kills in ${loadSeconds.toFixed(0)} s, seed ${seed}\n\n${textTable(figures)}\n`);
  console.log(`A process was ready ${processes.startSeconds().toFixed(1)} s after its start (median).`);
  console.log(`${load.unanswered} triggers got no answer, because their process was killed or none was running.`);
  if (load.leftOut > 0)
    console.log(`${load.leftOut} triggers were left out, because more than ${MOST_WAITING} messages were waiting.`);
  for (const [status, count] of Object.entries(load.refused)) console.log(`${count} triggers were answered ${status}.`);
  const failures = figures.filter(isFailure);
  console.log(failures.length === 0 ? 'Nothing was lost.' : `FAILED: ${failures.map(({ what }) => what).join('; ')}`);
  return failures.length === 0 ? 0 : 1;
}

try {
  const options = readOptions(process.argv.slice(2));
  process.exit(report(options, await run(options)));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : `kills: ${error.message}`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
