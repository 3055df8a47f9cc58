import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { readConfig } from '../../src/platform/config/config.js';
import { Database } from '../../src/platform/database/database.js';
import { outageOf } from '../../src/platform/database/database-error.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';

const ENDED = 'ended';

let server: TestDatabase;
let database: Database;
let prisma: PrismaService;

beforeAll(async () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  server = await createDatabase();
  database = new Database(server.url, readConfig({ ROLE: 'api' }));
  prisma = new PrismaService(database);
  await database.pool.query(`
    create function fail() returns trigger language plpgsql as $$
    begin
      if current_setting('test.code') = '${ENDED}' then perform pg_terminate_backend(pg_backend_pid()); end if;
      raise exception using errcode = current_setting('test.code'), message = current_setting('test.message');
    end $$;
    create trigger fail before insert on organizations for each statement execute function fail()`);
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await server.drop();
  jest.restoreAllMocks();
});

const INSERT = `insert into organizations (slug, name) values ('a', 'A')`;

/** The ways in which the service sends statements. */
const WAYS: Record<string, (code: string, message: string) => Promise<unknown>> = {
  pg: async (code, message) => {
    const client = await database.pool.connect();
    try {
      await client.query(`select set_config('test.code', $1, false), set_config('test.message', $2, false)`, [
        code,
        message,
      ]);
      await client.query(INSERT);
    } finally {
      client.release(true);
    }
  },
  'raw SQL of Prisma': (code, message) =>
    prisma.$transaction(async (tx) => {
      await tx.$queryRaw`select set_config('test.code', ${code}, true), set_config('test.message', ${message}, true)`;
      await tx.$executeRawUnsafe(INSERT);
    }),
  'a model of Prisma': (code, message) =>
    prisma.$transaction(async (tx) => {
      await tx.$queryRaw`select set_config('test.code', ${code}, true), set_config('test.message', ${message}, true)`;
      await tx.organization.create({ data: { slug: 'a', name: 'A' } });
    }),
};

/** What PostgreSQL says when its disk is full, during a failover, and when a session ends. */
const OUTAGES = [
  ['53100', 'could not extend file "base/5/16384": No space left on device'],
  ['XX000', 'could not write init file'],
  ['58030', 'could not write to file "pg_wal/xlogtemp.7": No space left on device'],
  ['57P01', 'terminating connection due to administrator command'],
  ['57P02', 'terminating connection because of crash of another server process'],
  ['57P03', 'the database system is starting up'],
  ['25006', 'cannot execute INSERT in a read-only transaction'],
  ['25P03', 'terminating connection due to idle-in-transaction timeout'],
  ['55000', 'recovery is in progress'],
] as const;

for (const [way, send] of Object.entries(WAYS))
  it.each(OUTAGES)(`is an outage over ${way}: %s %s`, async (code, message) => {
    const error = await send(code, message).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect([error === null, outageOf(error) === null, error]).toEqual([false, false, error]);
  });

for (const [way, send] of Object.entries(WAYS))
  it(`is a mistake of ours over ${way}: an internal error that has nothing to do with the disk`, async () => {
    const error = await send('XX000', 'cache lookup failed for type 5').then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(outageOf(error)).toBeNull();
  });

for (const [way, send] of Object.entries(WAYS))
  it(`is an outage over ${way}: a session that is ended under a statement`, async () => {
    const error = await send(ENDED, '').then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect([error === null, outageOf(error) === null, error]).toEqual([false, false, error]);
  });
