// `npm run check`: format, lint, types, contract, and every test (the drift of the schema is one of them).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = (name) => join('node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const folder = mkdtempSync(join(tmpdir(), 'carillon-check-'));
const report = join(folder, 'jest.json');

const steps = [
  ['format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
  ['lint', bin('oxlint'), ['--type-aware']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['contract', process.execPath, ['dist/contract/main.js', '--check']],
  ['contract lint', bin('redocly'), ['lint', 'openapi.yaml']],
  ['tests', process.execPath, ['scripts/test.mjs', '--json', `--outputFile=${report}`]],
];

let passed = 0;
let failed = 0;
for (const [name, command, args] of steps) {
  console.log(`\n== ${name}`);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  // Jest writes its JSON to the file; what it would print of it again helps nobody.
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status === 0) passed++;
  else failed++;
}
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  passed += numPassedTests;
  failed += Math.max(numFailedTests, numFailedTestSuites);
} catch {
  console.error('the tests wrote no report');
  failed++;
}
rmSync(folder, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
