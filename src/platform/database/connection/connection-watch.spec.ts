import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createDatabase } from '../../../../test/support/app/database.js';
import type { TestDatabase } from '../../../../test/support/app/database.js';
import { DatabaseProxy } from '../../../../test/support/sinks/database-proxy.js';
import { until } from '../../../../test/support/until.js';
import { withClient } from '../../../../test/support/world/crowd.js';
import { readConfig } from '../../config/config.js';
import { CommitGate } from '../../http/limit/commit-gate.js';
import { Database } from '../database.js';
import { outageOf } from '../database-error.js';
import { Listener } from '../listener.js';
import { ConnectionWatch } from './connection-watch.js';

const PATIENCE_MS = 60_000;

let server: TestDatabase;
let proxy: DatabaseProxy;
let database: Database;
let watch: ConnectionWatch;
let second: ConnectionWatch;
let listener: Listener;
let reconnects: number;

beforeEach(async () => {
  for (const level of ['warn', 'log'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
  server = await createDatabase();
  proxy = await DatabaseProxy.start(portOf(server.url));
  const url = proxy.through(server.url);
  database = new Database(url, readConfig({ ROLE: 'api' }));
  watch = new ConnectionWatch(url, new CommitGate());
  reconnects = 0;
  listener = new Listener(
    url,
    'test',
    () => undefined,
    () => reconnects++,
  );
  // Two services in one process share what was received.
  second = new ConnectionWatch(url, new CommitGate());
  for (const each of [watch, second]) each.onApplicationBootstrap();
  await listener.ready();
});

afterEach(async () => {
  // Nothing of it may wait for a proxy that is silent.
  await proxy.close();
  await Promise.all([watch, second].map((each) => each.onApplicationShutdown()));
  await Promise.all([database.onApplicationShutdown(), listener.stop()]);
  await server.drop();
  jest.restoreAllMocks();
});

const portOf = (url: string) => Number(new URL(url).port);

const session = async () => {
  const sql = `select pg_backend_pid() pid, current_setting('transaction_read_only') = 'on' "isReadOnly"`;
  return (await database.pool.query<{ pid: number; isReadOnly: boolean }>(sql)).rows[0]!;
};

it('ends every connection of a server that has vanished, idle ones too, and connects again', async () => {
  const before = await session();
  const busy = database.pool.query('select pg_sleep(100000)').catch((error: unknown) => error);
  const idle = await database.pool.connect();
  const ended = new Promise((resolve) => idle.once('end', () => resolve('ended')));
  proxy.vanish();
  expect(outageOf(await busy)).toMatchObject({ detail: expect.stringContaining('cannot be reached') });
  expect(await ended).toBe('ended');
  idle.release(true);
  expect(watch.problem).toBe('unreachable');

  proxy.switchTo(portOf(server.url));
  await until(PATIENCE_MS, () => watch.problem === null && reconnects > 0);
  const after = await until(PATIENCE_MS, () => session().catch(() => null));
  expect(after.pid).not.toBe(before.pid);
});

it('leaves a server alone that is only slow: another connection is heard', async () => {
  const slow = database.pool.query<{ slept: string }>(`select pg_sleep(6)::text slept`);
  expect((await slow).rowCount).toBe(1);
  expect([watch.problem, second.problem]).toEqual([null, null]);
});

it('connects anew when the server becomes read-only, and once more when it is writable', async () => {
  // A setting of the database is for new sessions only, as a new primary is for new connections only.
  const setReadOnly = (value: 'on' | 'off') =>
    withClient(server.url, async (client) => {
      await client.query('set transaction_read_only = off');
      const name = new URL(server.url).pathname.slice(1);
      await client.query(`set default_transaction_read_only = off`);
      await client.query(`alter database ${name} set default_transaction_read_only = ${value}`);
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'carillon watch'`,
      );
    });
  // An idle connection of a pool is not closed while it is used.
  const isReplacedBy = (isReadOnly: boolean) => async () =>
    (await session().catch(() => null))?.isReadOnly === isReadOnly;
  expect((await session()).isReadOnly).toBe(false);
  await setReadOnly('on');
  await until(PATIENCE_MS, () => watch.problem === 'read-only');
  await until(PATIENCE_MS, isReplacedBy(true));
  await setReadOnly('off');
  await until(PATIENCE_MS, () => watch.problem === null);
  await until(PATIENCE_MS, isReplacedBy(false));
});
