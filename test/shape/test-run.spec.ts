import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it } from '@jest/globals';
import { needsOf } from '../../scripts/jest/needs.mjs';
import { filesToRetry } from '../../scripts/jest/retry.mjs';
import { workersFor } from '../../scripts/jest/workers.mjs';
import { startPostgres } from '../../scripts/test-postgres.mjs';
import { root } from '../../src/platform/config/root.js';
import { createDatabase } from '../support/app/database.js';

const path = (file: string) => join(root, ...file.split('/'));

describe('npm test', () => {
  it.each([
    ['nothing for pure functions', ['src/rules/ruleset/decide.spec.ts', 'test/shape/imports.spec.ts'], []],
    ['nothing for the renderer, which starts a process', ['src/rules/render/renderer.spec.ts'], []],
    ['a database for a query', ['src/rules/condition/audience.spec.ts'], ['database']],
    ['a database and the contract for the app', ['test/api/user.spec.ts'], ['database', 'contract']],
    ['the build for the pages of the console', ['test/http/console.spec.ts'], ['database', 'contract', 'build']],
    ['the build for a link to the console', ['test/http/server.spec.ts'], ['database', 'contract', 'build']],
    ['the build for processes of the service', ['test/operate/processes.spec.ts'], ['database', 'build']],
    ['the build for commands of the docs', ['test/docs/docs.spec.ts'], ['build']],
    ['the build for the benchmark', ['test/faults/bench.spec.ts'], ['build']],
    [
      'what one of several files needs',
      ['src/auth/scope.spec.ts', 'test/api/user.spec.ts', 'test/docs/docs.spec.ts'],
      ['database', 'contract', 'build'],
    ],
  ])('prepares %s', (_, files, expected) => {
    const needs = Object.entries(needsOf(root, files.map(path)));
    expect(needs.filter(([, isNeeded]) => isNeeded).map(([name]) => name)).toEqual(expected);
  });

  it('runs the migrations once, and copies the migrated template for later runs', async () => {
    const database = await createDatabase();
    const later = await startPostgres();
    try {
      const migrated = await migrationTimes(database.url);
      expect(migrated.length).toBeGreaterThan(0);
      expect(await migrationTimes(later.url.replace(/\/carillon$/, '/template_carillon'))).toEqual(migrated);
    } finally {
      later.end();
      await database.drop();
    }
  });

  it('starts no more workers than there are named files', () => {
    const [one, other] = [path('test/api/user.spec.ts'), path('src/auth/scope.spec.ts')];
    expect(workersFor([one], 5)).toEqual(['--maxWorkers=1']);
    expect(workersFor([one, other, '-t', 'a name'], 5)).toEqual(['--maxWorkers=2']);
    expect(workersFor([one, other], 2)).toEqual([]);
    for (const others of [[], [path('test/api')], [one, 'user'], [one, '--maxWorkers=3']])
      expect(workersFor(others, 5)).toEqual([]);
  });

  it('retries failed files of test/faults in CI, unless another file failed', () => {
    const [fault, other] = [path('test/faults/restart.spec.ts'), path('test/api/user.spec.ts')];
    expect(filesToRetry([fault])).toEqual([fault]);
    expect(filesToRetry([fault, other])).toEqual([]);
    expect(filesToRetry([])).toEqual([]);
  });
});

async function migrationTimes(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query('select migration_name, finished_at from _carillon_migrations order by 1')).rows;
  } finally {
    await client.end();
  }
}
