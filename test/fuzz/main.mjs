// Sends valid, nearly valid and hostile requests for every operation of openapi.yaml, and checks every answer: `npm run test:fuzz`.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { interrupted } from '../../bench/interrupted.mjs';
import { UsageError } from '../../bench/options.mjs';
import { Progress } from '../../bench/report/progress.mjs';
import { World } from '../../bench/world.mjs';
import { Postgres } from '../../bench/world/postgres.mjs';
import { readOptions } from './options.mjs';
import { findUncovered, report } from './report.mjs';
import { run } from './run.mjs';

const progress = new Progress();

async function fuzz(options) {
  console.error(`fuzz: seed ${options.seed}`);
  progress.begin('fuzz');
  const document = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
  const postgres = await Postgres.start();
  // Nothing in a run needs to survive a power cut.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await postgres.admin(`alter system set ${setting} = off`);
  await postgres.admin('select pg_reload_conf()');
  const world = new World(postgres, {}, progress);
  try {
    return await Promise.race([run(world, options, document, progress), world.broken, interrupted]);
  } finally {
    progress.end();
    await world.close();
    await postgres.stop();
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  const outcome = await fuzz(options);
  findUncovered(outcome);
  const { passed, failed } = report(options, outcome);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : `fuzz: ${error.stack}`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
