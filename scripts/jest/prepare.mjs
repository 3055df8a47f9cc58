// Jest's global setup: compiles, and prepares what the selected test files need, and nothing else. A spec of pure functions needs neither the
// build nor PostgreSQL. One with a database gets a PostgreSQL that is copied with its migrated template (../test-postgres.mjs).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { refreshContract } from '../build.mjs';
import { selected } from '../test-order.mjs';
import { compileAll } from './compile.mjs';
import { needsOf } from './needs.mjs';

/** Of `npm run test:long` and `npm run test:browser`. */
const EVERYTHING = { database: true, contract: true, build: true };

// Jest calls the default export.
export { prepare as default };

async function prepare({ rootDir: home }) {
  await compileAll({ rootDir: home });
  if (process.env.TEST_POSTGRES_URL) return; // the program that started Jest has prepared the rest
  const isSpecial = process.env.TEST_LONG === '1' || process.env.TEST_BROWSER === '1';
  const needs = isSpecial ? EVERYTHING : needsOf(home, selected);
  if (needs.build) build(home);
  else if (needs.contract) await refreshContract(home);
  if (!needs.database) return;
  // Jest would end without the event that stops PostgreSQL.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  const { startPostgres } = await import('../test-postgres.mjs');
  process.env.TEST_POSTGRES_URL = (await startPostgres()).url;
}

/** In a process of its own: this one would keep the memory of the bundler. */
function build(home) {
  const { status } = spawnSync(process.execPath, [join(home, 'scripts', 'run.mjs'), 'build'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('the build failed: see above');
}
