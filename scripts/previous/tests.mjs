// Runs tests of the previous release, unchanged. Each of its test files clones the template database, which this release has migrated.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { spawnJest } from '../jest/spawn-jest.mjs';

const ALL = ['test/api', 'test/pipeline'];
/** They read and write most tables in little time. */
const SHORT = [
  'test/api/deletion',
  'test/api/user',
  'test/pipeline/mail',
  'test/pipeline/steer',
  'test/pipeline/unsubscribe',
];

/** Returns the numbers of tests that passed and failed. */
export async function runTests(home, url, isShort) {
  const results = await runFiles(home, url, isShort ? SHORT : ALL);
  const failed = results.filter(({ status }) => status !== 'passed');
  if (failed.length === 0) return count(results);
  // Its tests cannot be made more patient any more. A schema that breaks them breaks them twice.
  const files = failed.map(({ name }) => relative(home, name));
  console.log(`== once more, one after the other: ${files.join(', ')}`);
  const again = await runFiles(home, url, [...files, '--runInBand']);
  for (const test of again.flatMap(({ assertionResults }) => assertionResults))
    if (test.status === 'failed') console.log(`  FAIL  ${test.fullName}\n${test.failureMessages.join('\n')}`);
  return count([...results.filter(({ status }) => status === 'passed'), ...again]);
}

async function runFiles(home, url, args) {
  const report = join(home, 'jest.json');
  const child = spawnJest(url, [...args, '--json', `--outputFile=${report}`, '--silent'], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((done) => child.on('close', done));
  return JSON.parse(readFileSync(report, 'utf8')).testResults;
}

/** A file that could not run at all counts as one that failed. */
function count(files) {
  const all = files.flatMap(({ status, assertionResults }) =>
    assertionResults.length === 0 ? [status] : assertionResults.map((test) => test.status),
  );
  const number = (status) => all.filter((each) => each === status).length;
  return { passed: number('passed'), failed: number('failed') };
}
