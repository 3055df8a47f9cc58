import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { createDatabase } from '../../test/support/app/database.js';
import type { TestDatabase } from '../../test/support/app/database.js';
import { insertLockedDeliverJob } from './deliver-job.js';
import { Slots } from './slots.js';
import { ENSURE_TASKS, Task, insertExpandJobs } from './task.js';

const OCCURRENCE = `'0192d3a0-0000-7000-8000-000000000001'::uuid`;
const DELIVER = {
  occurrence: OCCURRENCE,
  notification: '2',
  channel: '3',
  after: '0',
  last: '9',
  priority: `'bulk'::text`,
};

let database: TestDatabase;
let pool: Pool;
let stopping: AbortController;
let slots: Slots;

beforeEach(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
  await pool.query(ENSURE_TASKS, [Object.values(Task)]);
  stopping = new AbortController();
  slots = new Slots(pool, stopping.signal, new Logger('test', { timestamp: false }));
  slots.worker = 'me';
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const JOBS = `
  select id, task_id, payload, priority, run_at = now() "isNow", attempts, max_attempts, key, flags, job_queue_id, is_available, locked_by
  from graphile_worker._private_jobs order by id`;

async function insertLocked(worker = 'me'): Promise<string> {
  const sql = insertLockedDeliverJob(DELIVER, `'${worker}'`, '(select) nothing', 'true');
  const { rows } = await pool.query<{ id: string }>(sql);
  return rows[0]!.id;
}

const jobs = async () => (await pool.query<{ id: string; locked_by: string | null; attempts: number }>(JOBS)).rows;

it('inserts the same expand job that graphile-worker itself would', async () => {
  const client = await pool.connect();
  await client.query('begin'); // both jobs get the same time
  await client.query(`select graphile_worker.add_job('expand', json_build_object('occurrences', json_build_array(1)), run_at => now(),
    priority => 10, flags => array['expand'])`);
  await client.query(insertExpandJobs('json_build_array(1)', `'bulk'`, 'now()', ''));
  const { rows } = await client.query<{ id: string }>(JOBS);
  await client.query('rollback');
  client.release();
  const [theirs, ours] = rows;
  expect(rows).toHaveLength(2);
  expect(ours).toEqual({ ...theirs, id: ours!.id });
});

it('inserts a deliver job that is locked from the start, as if it had been fetched from the queue', async () => {
  await insertLocked();
  await pool.query(
    `select graphile_worker.add_job('deliver', json_build_object('occurrence', ${OCCURRENCE}, 'notification', 2, 'channel', 3, 'after', 0,
       'last', 9, 'template', null, 'lot', null, 'priority', 'bulk'), priority => 10, job_key => 'other', flags => array['bulk:3'])`,
  );
  const rows = await jobs();
  expect(rows[0]).toEqual({
    ...rows[1],
    id: rows[0]!.id,
    ...{ isNow: false, attempts: 1, is_available: false, locked_by: 'me' },
    key: '0192d3a0-0000-7000-8000-000000000001:2:3:0:9',
  });
});

it('deletes a job that is done, and many with one statement', async () => {
  const query = jest.spyOn(pool, 'query');
  const ids = [];
  for (let i = 0; i < 5; i++) {
    ids.push(await insertLocked());
    await pool.query('update graphile_worker._private_jobs set key = null'); // so that the next one is not a repeat
  }
  query.mockClear();
  for (const id of ids) (await slots.tryAcquire('a'))!.run(id, () => Promise.resolve());
  await slots.drained();
  expect(query.mock.calls.length).toBeLessThanOrEqual(2);
  expect(await jobs()).toEqual([]);
});

it('unlocks a job that failed, to be retried later', async () => {
  (await slots.tryAcquire('a'))!.run(await insertLocked(), () => Promise.reject(new Error('no')));
  await slots.drained();
  expect(await jobs()).toMatchObject([{ locked_by: null, attempts: 1, is_available: true, isNow: false }]);
});

it('leaves alone a job that another worker has taken over meanwhile', async () => {
  const id = await insertLocked();
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'another'`);
  (await slots.tryAcquire('a'))!.run(id, () => Promise.resolve());
  await slots.drained();
  expect(await jobs()).toMatchObject([{ locked_by: 'another' }]);
});

it('gives no slot in a lane at its limit, without a worker, or when it is told to stop', async () => {
  const taken = [];
  for (let slot = await slots.tryAcquire('a'); slot; slot = await slots.tryAcquire('a')) taken.push(slot);
  expect(taken.length).toBeGreaterThan(1);
  expect(await slots.tryAcquire('b')).not.toBeNull();
  taken[0]!.release();
  expect(await slots.tryAcquire('a')).not.toBeNull();
  slots.worker = undefined;
  expect(await slots.tryAcquire('c')).toBeNull();
  slots.worker = 'me';
  stopping.abort();
  expect(await slots.tryAcquire('c')).toBeNull();
});

it('is drained only when its jobs have ended', async () => {
  const order: string[] = [];
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => (end = resolve)).then(() => void order.push('ended'));
  (await slots.tryAcquire('a'))!.run(await insertLocked(), () => work);
  const drained = slots.drained().then(() => order.push('drained'));
  end();
  await drained;
  expect(order).toEqual(['ended', 'drained']);
  expect(await jobs()).toEqual([]);
});

it('waits briefly, in order, for a slot in a lane that frees slots, and not at all in one that does not', async () => {
  const taken = [];
  for (let slot = await slots.tryAcquire('a'); slot; slot = await slots.tryAcquire('a')) taken.push(slot);
  const turn = new Promise((resolve) => setImmediate(resolve, 'it waited'));
  expect(await Promise.race([slots.tryAcquire('a'), turn])).toBeNull();
  taken[0]!.release();
  expect(await slots.tryAcquire('a')).not.toBeNull();
  const order: number[] = [];
  const waiting = [1, 2].map(async (turn) => {
    const slot = await slots.tryAcquire('a');
    order.push(turn);
    return slot;
  });
  taken[1]!.release();
  expect(await waiting[0]).not.toBeNull();
  expect(order).toEqual([1]);
  expect(await waiting[1]).toBeNull();
});
