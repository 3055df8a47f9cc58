// `npm run test:previous [-- --short]`: the previous release keeps running on the schema of this one (docs/upgrades.md). Its own tests run
// against databases that this release has migrated. Then both releases run side by side under load.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { withPostgres } from '../test-postgres.mjs';
import { runSideBySide } from './side-by-side.mjs';
import { commit, preparePrevious } from './source.mjs';
import { runTests } from './tests.mjs';

const ours = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const isShort = process.argv.includes('--short');
const start = Date.now();
const say = (text) => console.log(`${text} (${Math.round((Date.now() - start) / 1000)} s)`);

let home;
const results = [];
try {
  home = await preparePrevious();
  say(`== the previous release is ${commit.slice(0, 12)}, prepared in ${home}`);
  await withPostgres(async (url) => {
    results.push(await runTests(home, url, isShort));
    say('== its own tests on the new schema: done');
    const database = await createDatabase(url);
    results.push(await runSideBySide({ previous: home, new: ours }, database, isShort));
    say('== both releases side by side: done');
  });
} catch (error) {
  console.error(error.message);
  results.push({ passed: 0, failed: 1 });
} finally {
  if (home) rmSync(home, { recursive: true, force: true });
}

async function createDatabase(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create database side_by_side template template_carillon');
  await client.end();
  return url.replace(/\/[^/]*$/, '/side_by_side');
}

const sum = (key) => results.reduce((all, result) => all + result[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
