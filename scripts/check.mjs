// `npm run check`: format, lint, types, contract, and the tests (the drift of the schema is one of them). Those of faults take minutes and have
// a step of their own in CI.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from './build.mjs';

const bin = (name) => join('node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const folder = mkdtempSync(join(tmpdir(), 'carillon-check-'));
const report = join(folder, 'tests.json');

const withoutBuild = [
  ['format', bin('oxfmt'), ['--check']],
  ['lint and types', bin('oxlint'), ['--type-aware', '--type-check']],
  ['contract lint', bin('redocly'), ['lint', 'openapi.yaml']],
];
const contract = ['contract', process.execPath, ['scripts/contract.mjs', '--check']];
const tests = ['tests', process.execPath, ['scripts/test.mjs', '--testPathIgnorePatterns=test/faults/']];

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', TEST_REPORT: report };

let passed = 0;
let failed = 0;

/** Runs a step; its output is printed at its end, in one piece, unless it is `live`. */
async function run([name, command, args], { live = false } = {}) {
  if (live) console.log(`\n== ${name}`);
  const child = spawn(command, args, { stdio: ['ignore', ...(live ? ['inherit', 'inherit'] : ['pipe', 'pipe'])], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const code = await new Promise((done) => child.on('close', done).on('error', () => done(1)));
  if (!live) console.log(`\n== ${name}\n${output.trimEnd()}`);
  if (code === 0) passed++;
  else failed++;
}

async function runInTurn(steps) {
  for (const step of steps) await run(step);
}

generate('.');
const linted = runInTurn(withoutBuild); // the build takes one core only
await run(['build', process.execPath, ['scripts/run.mjs', 'build']]);
if (process.env.CI === 'true') await linted; // see jest.config.mjs: fewer at a time
await Promise.all([run(tests, { live: true }), run(contract), linted]);

try {
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  passed += counts.passed;
  failed += counts.failed;
  if (counts.pending > 0) console.log(`\n${counts.pending} excluded: they need Linux (test/support/linux.ts)`);
} catch {
  console.error('the tests wrote no report');
  failed++;
}
rmSync(folder, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
