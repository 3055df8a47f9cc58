import { once } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { createDatabase } from '../../test/support/app/database.js';
import type { TestDatabase } from '../../test/support/app/database.js';
import { until } from '../../test/support/until.js';
import { Notice } from '../prisma/notice.js';
import { JobFetcher } from './job-fetcher.js';
import { Slots } from './slots.js';
import { ENSURE_TASKS, EXPAND_LANES, Task, insertExpandJobs, notifyOfExpandJobs } from './task.js';
import type { ExpandPayload } from './task.js';

let database: TestDatabase;
let pool: Pool;
let slots: Slots;
let stopping: AbortController;
let fetcher: JobFetcher<ExpandPayload>;
let taken: string[];
let work: () => Promise<void>;

beforeEach(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
  await pool.query(ENSURE_TASKS, [Object.values(Task)]);
  stopping = new AbortController();
  slots = new Slots(pool, stopping.signal, new Logger('test', { timestamp: false }));
  slots.worker = 'me';
  taken = [];
  work = () => Promise.resolve();
  fetcher = new JobFetcher(pool, slots, EXPAND_LANES.others, ({ occurrences }) => {
    taken.push(...occurrences);
    return work();
  });
});

afterEach(async () => {
  await slots.drained();
  await pool.end();
  await database.drop();
});

/** Inserts one job for each. */
async function insert(occurrences: string[], priority = 'normal', runAt = 'now()'): Promise<void> {
  const jobs = insertExpandJobs(
    'json_build_array(occurrence)',
    `'${priority}'`,
    runAt,
    'from unnest($1::text[]) occurrence',
  );
  await pool.query(`with jobs as (${jobs}) ${notifyOfExpandJobs('jobs')}`, [occurrences]);
}

const left = async () =>
  (await pool.query<{ locked_by: string | null }>('select locked_by, attempts from graphile_worker._private_jobs'))
    .rows;

const isSo = (look: () => boolean | Promise<boolean>) => until(10_000, look);

it('fetches all waiting jobs with one statement, runs them, and deletes them', async () => {
  await insert(['a', 'b', 'c']);
  const query = jest.spyOn(pool, 'query');
  fetcher.notify();
  await isSo(() => taken.length === 3);
  expect(query).toHaveBeenCalledTimes(1);
  await slots.drained();
  expect(taken.sort()).toEqual(['a', 'b', 'c']);
  expect(await left()).toEqual([]);
});

it('runs no more than eight jobs at once, and the next ones as those end', async () => {
  await insert(Array.from({ length: 30 }, (_, i) => String(i)));
  const ends: (() => void)[] = [];
  work = () => new Promise((resolve) => ends.push(resolve));
  fetcher.notify();
  for (let ended = 0; ended < 30; ended++) {
    await isSo(() => taken.length === Math.min(ended + 8, 30));
    expect(ends).toHaveLength(Math.min(ended + 8, 30));
    ends[ended]!();
  }
  await slots.drained();
  expect(new Set(taken).size).toBe(30);
  expect(await left()).toEqual([]);
});

it('leaves jobs that are not due, of another lane, or locked by another worker', async () => {
  await insert(['later'], 'normal', `now() + interval '1 hour'`);
  await insert(['critical'], 'critical');
  await insert(['held']);
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'other', locked_at = now()
    where payload::text like '%held%'`);
  await insert(['mine'], 'bulk');
  fetcher.notify();
  await isSo(() => taken.length > 0);
  await slots.drained();
  expect(taken).toEqual(['mine']);
  expect(await left()).toHaveLength(3);
});

it('locks what it fetches for its worker, and unlocks a job that failed', async () => {
  await insert(['a']);
  let fail = () => {};
  work = () => new Promise((_resolve, reject) => (fail = () => reject(new Error('no'))));
  fetcher.notify();
  await isSo(() => taken.length === 1);
  expect(await left()).toEqual([{ locked_by: 'me', attempts: 1 }]);
  fail();
  await slots.drained();
  expect(await left()).toEqual([{ locked_by: null, attempts: 1 }]);
});

it('fetches nothing without a worker, nor when it is told to stop', async () => {
  await insert(['a']);
  slots.worker = undefined;
  fetcher.notify();
  await fetcher.idle();
  slots.worker = 'me';
  stopping.abort();
  fetcher.notify();
  await fetcher.idle();
  expect(await left()).toEqual([{ locked_by: null, attempts: 0 }]);
});

it('is notified of each lane that got jobs, once, and of none without jobs', async () => {
  const client = await pool.connect();
  const heard: string[] = [];
  client.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await client.query(`listen ${Notice.Expand}`);
  await insert([]);
  await insert(['a', 'b']);
  await insert(['c'], 'critical');
  if (heard.length < 2) await once(client, 'notification');
  await client.query('select 1');
  client.release(true);
  expect(heard).toEqual([EXPAND_LANES.others, EXPAND_LANES.critical]);
});
