import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { createDatabase } from '../../test/support/app/database.js';
import type { TestDatabase } from '../../test/support/app/database.js';
import { until } from '../../test/support/until.js';
import type { TaskFunctions } from './task.js';
import { Worker } from './worker.js';

let database: TestDatabase;
let sql: Client;

beforeEach(async () => {
  database = await createDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
});
afterEach(async () => {
  await sql.end();
  await database.drop();
});

// PostgreSQL refuses to complete a job.
const REFUSE = `
  create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
  create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`;

it('goes on without a job that hangs when graphile-worker has shut down', async () => {
  const ran: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const work = async ({ occurrence }: { occurrence: string }): Promise<void> => {
    ran.push(occurrence);
    if (occurrence === 'hangs') await held;
  };
  const warn = jest.spyOn(Logger.prototype, 'warn');
  const warned = () => warn.mock.calls.map(([line]) => (line as { message: string }).message);
  const worker = new Worker(database.url, { cancel: work } as unknown as TaskFunctions, async () => {}, 200);
  await worker.start();
  try {
    const add = (occurrence: string) =>
      sql.query(`select graphile_worker.add_job('cancel', json_build_object('occurrence', $1::text))`, [occurrence]);
    await add('hangs');
    await until(10_000, async () => ran.includes('hangs'));
    await sql.query(REFUSE);
    await add('ends');
    await until(10_000, async () => ran.includes('ends'));
    await until(10_000, () => warned().includes('queue restarts without a job that did not end in time'));
    await sql.query('drop function refuse cascade');
    await add('later');
    await until(20_000, async () => ran.includes('later'));
    // The job that could not be completed runs again, once it is certain that nobody works on it.
    await until(30_000, async () => ran.filter((occurrence) => occurrence === 'ends').length > 1);
  } finally {
    release();
    await worker.stop();
    warn.mockRestore();
  }
  expect(ran.filter((occurrence) => occurrence === 'later')).toHaveLength(1);
}, 90_000);
