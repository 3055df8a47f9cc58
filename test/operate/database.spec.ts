import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/platform/config/config.js';
import { Purge } from '../../src/engine/purge/purge.js';
import { Database } from '../../src/platform/database/database.js';
import { cli } from '../support/app/cli.js';
import { createDatabase } from '../support/app/database.js';
import { startSessionPooler, startTransactionPooler } from '../support/sinks/pooler.js';
import { until } from '../support/until.js';
import { withClient } from '../support/world/crowd.js';

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function newDatabase(template?: string): Promise<string> {
  const database = await createDatabase(template);
  endings.push(database.drop);
  return database.url;
}

async function startOn(databaseUrl: string) {
  const app = await createApp(readConfig({ LOG_LEVEL: 'error', SECRET_KEY }), databaseUrl);
  endings.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  return app;
}

async function doctor(databaseUrl: string, env: Record<string, string> = {}) {
  const { code, stdout } = await cli(['doctor', '--json'], { DATABASE_URL: databaseUrl, ...env });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string; advice?: string }[] };
  const failed = checks.filter(({ ok }) => !ok);
  return { code, failed, named: (name: string) => checks.find((check) => check.name === name) };
}

const SHOW = `select current_setting('default_transaction_isolation') isolation, current_setting('statement_timeout') timeout`;

describe('a pooler in session mode, which refuses startup parameters', () => {
  it('is as good as PostgreSQL itself: the service starts, works and purges', async () => {
    const pooler = await startSessionPooler(await newDatabase());
    endings.push(pooler.close);
    expect((await cli(['migrate'], { DATABASE_URL: pooler.url })).stdout).toBe('nothing to apply\n');
    expect((await doctor(pooler.url)).failed).toEqual([]);
    const app = await startOn(pooler.url);
    const { rows } = await app.get(Database).pool.query(SHOW);
    expect(rows).toEqual([{ isolation: 'read committed', timeout: '30s' }]);
    expect(await app.get(Purge).run()).toMatchObject({ occurrences: 0 });
  });
});

describe('a pooler in transaction mode', () => {
  it('is refused before anything is done, with the way out, and no lock is left behind', async () => {
    const databaseUrl = await newDatabase();
    const pooler = await startTransactionPooler(databaseUrl);
    endings.push(pooler.close);
    for (const command of ['start', 'migrate']) {
      const { code, stderr } = await cli([command], { DATABASE_URL: pooler.url });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^carillon: .*transaction mode.*session.*\n$/)]);
    }
    const { code, failed } = await doctor(pooler.url);
    expect([code, failed.map(({ name }) => name)]).toEqual([1, ['pooler']]);
    expect(failed[0]!.advice).toContain('pool_mode = session');
    const locks = `select from pg_locks join pg_database d on d.oid = database where locktype = 'advisory' and datname = current_database()`;
    expect((await withClient(databaseUrl, (client) => client.query(locks))).rowCount).toBe(0);
  });
});

it('says that it waits for a process that migrates, and which one', async () => {
  const databaseUrl = await newDatabase();
  const other = new Client({ connectionString: databaseUrl, application_name: 'another' });
  await other.connect();
  await other.query('select pg_advisory_lock(7261003)');
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() pid');
  const running = cli(['migrate'], { DATABASE_URL: databaseUrl });
  // It has asked a second time: by then it has said why it waits.
  const asked = new Set<number>();
  const asks = `select query_start "at" from pg_stat_activity
    where application_name = 'carillon migrate' and datname = current_database() and query like '%pg_try_advisory_lock%'`;
  await until(20_000, async () => {
    for (const { at } of (await other.query<{ at: Date }>(asks)).rows) asked.add(at.getTime());
    return asked.size > 1;
  });
  await other.end();
  const { code, stdout, stderr } = await running;
  expect([code, stdout]).toEqual([0, 'nothing to apply\n']);
  expect(stderr).toMatch(/^carillon: waiting for another process that migrates the database/);
  expect(stderr).toContain(`${rows[0]!.pid} (another)`);
});

it('works on a database whose default isolation is serializable', async () => {
  const databaseUrl = await newDatabase();
  await withClient(databaseUrl, (client) =>
    client.query(
      `do $$ begin execute format('alter database %I set default_transaction_isolation = serializable', current_database()); end $$`,
    ),
  );
  const app = await startOn(databaseUrl);
  const { rows } = await app.get(Database).pool.query(SHOW);
  expect(rows).toEqual([{ isolation: 'read committed', timeout: '30s' }]);
  const { failed, named } = await doctor(databaseUrl);
  expect([failed, named('isolation')?.detail]).toEqual([[], expect.stringContaining('serializable')]);
});

it('refuses a database that cannot store every character, with the way out', async () => {
  const databaseUrl = await newDatabase(`template0 encoding 'LATIN1' locale_provider libc locale 'C'`);
  const { code, stderr } = await cli(['start'], { DATABASE_URL: databaseUrl });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^carillon: .*LATIN1.*UTF8.*\n$/)]);
  const { failed } = await doctor(databaseUrl);
  expect(failed.map(({ name }) => name)).toEqual(['encoding', 'migrations']);
});

it('doctor compares the connections that this configuration may open with those that PostgreSQL has', async () => {
  const databaseUrl = await newDatabase();
  expect((await doctor(databaseUrl)).named('connections')).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/\b18\b.*\b100\b/),
  });
  const { failed } = await doctor(databaseUrl, { PROCESSES: '8' });
  expect(failed).toMatchObject([{ name: 'connections', advice: expect.stringContaining('max_connections') }]);
  expect(failed[0]!.detail).toContain('144');
});
