// Runs Jest, which prepares what the tests need (jest/prepare.mjs). Arguments go to Jest: `npm test -- test/api/user.spec.ts`.
// With CI=true, a failed file of test/faults/ runs once more, alone: its processes have timeouts, and the machine may be busy with something
// else. The last lines name the file, so that nobody takes it for a good one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jestConfig from '../jest.config.mjs';
import { filesToRetry } from './jest/retry.mjs';
import { workersFor } from './jest/workers.mjs';
import { spawnJest } from './jest/spawn-jest.mjs';

const folder = mkdtempSync(join(tmpdir(), 'carillon-report-'));

process.on('SIGINT', () => undefined); // Jest gets it too, and ends

process.exitCode = 1;
process.exitCode = await runAll(process.argv.slice(2));
rmSync(folder, { recursive: true, force: true });

async function runAll(args) {
  const first = await run(args);
  const again = process.env.CI === 'true' ? filesToRetry(first.failedFiles) : [];
  if (again.length === 0) return end(first);
  console.log(`\n${again.length} of the files failed and run once more, alone.\n`);
  const second = await run(['--maxWorkers=1', '--runTestsByPath', ...again]);
  for (const file of again) console.log(`WARNING: ${file} failed at first, and ran once more`);
  return end({ ...second, passed: first.passed + second.passed - first.passedInFailed });
}

async function run(args) {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const workers = workersFor(args, jestConfig.maxWorkers);
  const child = spawnJest(undefined, [...args, ...workers, '--json', `--outputFile=${file}`], {
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
