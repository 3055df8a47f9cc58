// Runs Jest against a real PostgreSQL (test-postgres.mjs). Arguments go to Jest: `npm test -- test/api/user.spec.ts`.
// With CI=true, files that failed run once more, alone: a machine that is busy with something else must not fail a build. The
// last lines name them, so that nobody takes such a test for a good one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnJest, withPostgres } from './test-postgres.mjs';

/** More failed files than this are no accident. */
const MAX_AGAIN = 20;

const folder = mkdtempSync(join(tmpdir(), 'carillon-report-'));

process.on('SIGINT', () => undefined); // Jest gets it too and ends; then we stop PostgreSQL

process.exitCode = 1;
process.exitCode = await withPostgres(async (url) => {
  const first = await run(url, process.argv.slice(2));
  const again = first.failedFiles.length <= MAX_AGAIN ? first.failedFiles : [];
  if (process.env.CI !== 'true' || first.code === 0 || again.length === 0) return end(first);
  console.log(`\n${again.length} of the files failed and run once more, alone.\n`);
  const second = await run(url, ['--maxWorkers=1', '--runTestsByPath', ...again]);
  console.log(`\nFailed at first:\n${again.map((file) => `  ${file}`).join('\n')}`);
  return end({ ...second, passed: first.passed + second.passed - first.passedInFailed });
});
rmSync(folder, { recursive: true, force: true });

async function run(url, args) {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const child = spawnJest(url, [...args, '--json', `--outputFile=${file}`], {
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  const code = await new Promise((done) => child.on('exit', (status) => done(status ?? 1)));
  return { code, ...read(file) };
}

/** Nothing but zeros if Jest wrote no report. */
function read(file) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests, testResults } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    const bad = testResults.filter(({ status }) => status === 'failed');
    return {
      passed: numPassedTests,
      failed: Math.max(numFailedTests, numFailedTestSuites),
      pending: numPendingTests,
      failedFiles: bad.map(({ name }) => name),
      passedInFailed: bad
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ status }) => status === 'passed').length,
    };
  } catch {
    return { passed: 0, failed: 0, pending: 0, failedFiles: [], passedInFailed: 0 };
  }
}

/** `npm run check` and CI read the counts. */
function end({ code, passed, failed, pending }) {
  console.log(`${passed} passed, ${failed} failed`);
  if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passed, failed, pending }));
  return code;
}
