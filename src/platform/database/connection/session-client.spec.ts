import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createDatabase } from '../../../../test/support/app/database.js';
import type { TestDatabase } from '../../../../test/support/app/database.js';
import { ForgetfulProxy } from '../../../../test/support/sinks/forgetful-proxy.js';
import { readConfig } from '../../config/config.js';
import { Database } from '../database.js';
import { outageOf } from '../database-error.js';
import { PrismaService } from '../prisma.service.js';
import { LONG_STATEMENTS } from './kinds.js';
import { createSession } from './open-session.js';
import { AnswerOverdue, limitAnswers } from './session-client.js';

let server: TestDatabase;
let proxy: ForgetfulProxy;
let database: Database;
let prisma: PrismaService;

beforeAll(async () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  server = await createDatabase();
  proxy = await ForgetfulProxy.start(server.url);
});
afterAll(async () => {
  await proxy.close();
  await server.drop();
  jest.restoreAllMocks();
});
beforeEach(() => {
  limitAnswers(1000);
  database = new Database(proxy.url, readConfig({ ROLE: 'api', DATABASE_POOL_MAX: '2' }));
  prisma = new PrismaService(database);
});
afterEach(async () => {
  limitAnswers(Infinity);
  await database.onApplicationShutdown();
});

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('an answer that never comes', () => {
  it('of a pool query: the query fails, its connection is never used again, and the pool works on', async () => {
    const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() pid');
    void proxy.loseAnswerTo(/lost/);
    const error = await failureOf(database.query('lost', `select 'lost'`, []));
    expect(error).toBeInstanceOf(AnswerOverdue);
    expect(outageOf(error)).toMatchObject({ detail: expect.stringContaining('cannot be reached') });
    const after = await database.pool.query<{ pid: number }>('select pg_backend_pid() pid');
    expect(after.rows[0]!.pid).not.toBe(rows[0]!.pid);
    expect(database.pool.totalCount).toBe(1);
  });

  it.each([
    ['BEGIN', /^begin/i],
    ['a statement', /from .*organizations/i],
    ['COMMIT', /^commit/i],
  ])('of %s of a transaction of Prisma is an outage, and frees the connection', async (_what, statement) => {
    void proxy.loseAnswerTo(statement);
    const error = await failureOf(prisma.$transaction((tx) => tx.organization.findMany()));
    expect(outageOf(error)).not.toBeNull();
    expect(await prisma.organization.findMany()).toEqual([]);
    expect(database.pool.totalCount).toBe(1);
  });

  it('of the statement that sets up a session does not use up the pool', async () => {
    for (let times = 0; times < 3; times++) {
      void proxy.loseAnswerTo(/^set default_transaction_isolation/);
      expect(outageOf(await failureOf(database.pool.query('select 1')))).not.toBeNull();
    }
    expect((await database.pool.query('select 1')).rowCount).toBe(1);
  });

  it('of a rollback does not return the connection to the pool', async () => {
    const client = await database.pool.connect();
    await client.query('begin');
    void proxy.loseAnswerTo(/^rollback/);
    expect(await failureOf(client.query('rollback'))).toBeInstanceOf(AnswerOverdue);
    client.release();
    expect(database.pool.totalCount).toBe(0);
  });
});

it('waits longer in a transaction that allows long statements, and only there', async () => {
  limitAnswers(Infinity);
  const client = await createSession(proxy.url, { kind: 'directory', name: 'test' }).open();
  await client.query('begin');
  await client.query(LONG_STATEMENTS);
  expect((await client.query('select pg_sleep(6)')).rowCount).toBe(1);
  await client.query('rollback');
  // PostgreSQL ends it now, before the deadline.
  expect(await failureOf(client.query('select pg_sleep(6)'))).toMatchObject({ code: '57014' });
  await client.end();
});

it('counts the time of each statement that waits behind another', async () => {
  const client = await createSession(proxy.url, { kind: 'signal', name: 'test' }).open();
  const naps = ['0.7', '0.7', '0.7'].map((seconds) => client.query(`select pg_sleep(${seconds})`));
  expect(await Promise.all(naps)).toHaveLength(3);
  await client.end();
});

it('keeps the session of a machine that vanishes for seconds only', async () => {
  const client = await createSession(server.url, { kind: 'request', name: 'test' }).open();
  const settings = ['tcp_keepalives_idle', 'tcp_user_timeout', 'idle_in_transaction_session_timeout'];
  const shown: unknown[] = [];
  for (const name of settings) shown.push(Object.values((await client.query<object>(`show ${name}`)).rows[0]!)[0]);
  expect(shown).toEqual(['5', '14000', '1min']);
  await client.end();
});
