// `npm run test:previous [-- --short]`: the previous release keeps running on the schema of this one (docs/upgrades.md). It makes a database,
// which this release migrates. The tests of the previous release run against copies of it. Then both releases run side by side under load.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { withPostgres } from '../test-postgres.mjs';
import { carillon } from './process.mjs';
import { runSideBySide } from './side-by-side.mjs';
import { commit, migrations, preparePrevious } from './source.mjs';
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
    const upgraded = await makeDatabase(url, 'template_carillon', 'template0');
    await carillon(home, upgraded, ['migrate']);
    say(
      `== upgraded: ${(await carillon(ours, upgraded, ['migrate'])).trim().replaceAll('\n', ', ') || 'nothing to apply'}`,
    );
    const database = await makeDatabase(url, 'side_by_side', 'template_carillon');
    await forgetNewer(upgraded);
    results.push(await runTests(home, url, isShort));
    say('== its own tests on the new schema: done');
    results.push(await runSideBySide({ previous: home, new: ours }, database, isShort));
    say('== both releases side by side: done');
  });
} catch (error) {
  console.error(error.message);
  results.push({ passed: 0, failed: 1 });
} finally {
  if (home) rmSync(home, { recursive: true, force: true });
}

/** Replaces a database of this name, and returns its address. */
async function makeDatabase(url, name, template) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${name}`);
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return url.replace(/\/[^/]*$/, `/${name}`);
}

/** Its tests compare the output of commands, which name the migrations that it does not know. */
async function forgetNewer(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('delete from _carillon_migrations where migration_name <> all($1)', [Object.keys(migrations)]);
  await client.end();
}

const sum = (key) => results.reduce((all, result) => all + result[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
