import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { createDatabase } from '../../test/support/database.js';
import type { TestDatabase } from '../../test/support/database.js';
import { Hands } from './hands.js';
import { ENSURE_TASKS, Task, holdDeliverJob, insertExpandJobs } from './task.js';

const OCCURRENCE = `'0192d3a0-0000-7000-8000-000000000001'::uuid`;
const DELIVER = {
  occurrence: OCCURRENCE,
  notification: '2',
  channel: '3',
  after: '0',
  last: '9',
  template: 'null::int',
  lot: 'null::bigint',
  priority: `'bulk'::text`,
};

let database: TestDatabase;
let pool: Pool;
let stopping: AbortController;
let hands: Hands;

beforeEach(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
  await pool.query(ENSURE_TASKS, [Object.values(Task)]);
  stopping = new AbortController();
  hands = new Hands(pool, stopping.signal, new Logger('test', { timestamp: false }));
  hands.worker = 'me';
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const JOBS = `
  select id, task_id, payload, priority, run_at = now() "isNow", attempts, max_attempts, key, flags, job_queue_id, is_available, locked_by
  from graphile_worker._private_jobs order by id`;

async function hold(worker = 'me'): Promise<string> {
  const sql = holdDeliverJob(DELIVER, `'${worker}'`, '(select) nothing', 'true');
  const { rows } = await pool.query<{ id: string }>(sql);
  return rows[0]!.id;
}

const jobs = async () => (await pool.query<{ id: string; locked_by: string | null; attempts: number }>(JOBS)).rows;

it('inserts the same expand job that graphile-worker itself would', async () => {
  const client = await pool.connect();
  await client.query('begin'); // so that both have one and the same time
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

it('has a job in hand from the start, and as it would be fetched from the queue', async () => {
  await hold();
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

it('forgets a job that is done, and writes the ends of many together', async () => {
  const query = jest.spyOn(pool, 'query');
  const ids = [];
  for (let i = 0; i < 5; i++) {
    ids.push(await hold());
    await pool.query('update graphile_worker._private_jobs set key = null'); // the next is another chunk
  }
  query.mockClear();
  for (const id of ids) (await hands.reach('a'))!.run(id, () => Promise.resolve());
  await hands.empty();
  expect(query.mock.calls.length).toBeLessThanOrEqual(2);
  expect(await jobs()).toEqual([]);
});

it('gives back a job that failed, for later', async () => {
  (await hands.reach('a'))!.run(await hold(), () => Promise.reject(new Error('no')));
  await hands.empty();
  expect(await jobs()).toMatchObject([{ locked_by: null, attempts: 1, is_available: true, isNow: false }]);
});

it('leaves alone what another worker has taken over meanwhile', async () => {
  const id = await hold();
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'another'`);
  (await hands.reach('a'))!.run(id, () => Promise.resolve());
  await hands.empty();
  expect(await jobs()).toMatchObject([{ locked_by: 'another' }]);
});

it('has no place in a full lane, without a worker, or when it is told to stop', async () => {
  const taken = [];
  for (let hand = await hands.reach('a'); hand; hand = await hands.reach('a')) taken.push(hand);
  expect(taken.length).toBeGreaterThan(1);
  expect(await hands.reach('b')).not.toBeNull();
  taken[0]!.open();
  expect(await hands.reach('a')).not.toBeNull();
  hands.worker = undefined;
  expect(await hands.reach('c')).toBeNull();
  hands.worker = 'me';
  stopping.abort();
  expect(await hands.reach('c')).toBeNull();
});

it('is empty only when what it runs has ended', async () => {
  const order: string[] = [];
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => (end = resolve)).then(() => void order.push('ended'));
  (await hands.reach('a'))!.run(await hold(), () => work);
  const empty = hands.empty().then(() => order.push('empty'));
  end();
  await empty;
  expect(order).toEqual(['ended', 'empty']);
  expect(await jobs()).toEqual([]);
});

it('waits a moment for a place in a lane that moves, in turn, and not at all in one that does not', async () => {
  const taken = [];
  for (let hand = await hands.reach('a'); hand; hand = await hands.reach('a')) taken.push(hand);
  const turn = new Promise((resolve) => setImmediate(resolve, 'it waited'));
  expect(await Promise.race([hands.reach('a'), turn])).toBeNull();
  taken[0]!.open();
  expect(await hands.reach('a')).not.toBeNull();
  const order: number[] = [];
  const waiting = [1, 2].map(async (turn) => {
    const hand = await hands.reach('a');
    order.push(turn);
    return hand;
  });
  taken[1]!.open();
  expect(await waiting[0]).not.toBeNull();
  expect(order).toEqual([1]);
  expect(await waiting[1]).toBeNull();
});
