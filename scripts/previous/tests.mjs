// Runs tests of the previous release, unchanged. Each of its test files clones the template database, which this release has migrated.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnJest } from '../test-postgres.mjs';

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
  const report = join(home, 'jest.json');
  const args = [...(isShort ? SHORT : ALL), '--json', `--outputFile=${report}`, '--silent'];
  const child = spawnJest(url, args, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise((done) => child.on('close', done));
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: numPassedTests, failed: Math.max(numFailedTests, numFailedTestSuites) };
}
