import { once } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { createDatabase } from '../../test/support/database.js';
import type { TestDatabase } from '../../test/support/database.js';
import { until } from '../../test/support/until.js';
import { Notice } from '../prisma/notice.js';
import { Hands } from './hands.js';
import { Taker } from './taker.js';
import { ENSURE_TASKS, EXPAND_LANES, Task, insertExpandJobs, tellOfExpandJobs } from './task.js';
import type { ExpandPayload } from './task.js';

let database: TestDatabase;
let pool: Pool;
let hands: Hands;
let stopping: AbortController;
let taker: Taker<ExpandPayload>;
let taken: string[];
let work: () => Promise<void>;

beforeEach(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
  await pool.query(ENSURE_TASKS, [Object.values(Task)]);
  stopping = new AbortController();
  hands = new Hands(pool, stopping.signal, new Logger('test', { timestamp: false }));
  hands.worker = 'me';
  taken = [];
  work = () => Promise.resolve();
  taker = new Taker(pool, hands, EXPAND_LANES.others, ({ occurrences }) => {
    taken.push(...occurrences);
    return work();
  });
});

afterEach(async () => {
  await hands.empty();
  await pool.end();
  await database.drop();
});

/** One job for each. */
async function insert(occurrences: string[], priority = 'normal', runAt = 'now()'): Promise<void> {
  const jobs = insertExpandJobs(
    'json_build_array(occurrence)',
    `'${priority}'`,
    runAt,
    'from unnest($1::text[]) occurrence',
  );
  await pool.query(`with jobs as (${jobs}) ${tellOfExpandJobs('jobs')}`, [occurrences]);
}

const left = async () =>
  (await pool.query<{ locked_by: string | null }>('select locked_by, attempts from graphile_worker._private_jobs'))
    .rows;

const isSo = (look: () => boolean | Promise<boolean>) => until(10_000, look);

it('takes all that wait with one statement, runs them, and forgets them', async () => {
  await insert(['a', 'b', 'c']);
  const query = jest.spyOn(pool, 'query');
  taker.tell();
  await isSo(() => taken.length === 3);
  expect(query).toHaveBeenCalledTimes(1);
  await hands.empty();
  expect(taken.sort()).toEqual(['a', 'b', 'c']);
  expect(await left()).toEqual([]);
});

it('runs no more than it has places, and goes on as they become free', async () => {
  await insert(Array.from({ length: 30 }, (_, i) => String(i)));
  const ends: (() => void)[] = [];
  work = () => new Promise((resolve) => ends.push(resolve));
  taker.tell();
  for (let ended = 0; ended < 30; ended++) {
    await isSo(() => taken.length === Math.min(ended + 8, 30));
    expect(ends).toHaveLength(Math.min(ended + 8, 30));
    ends[ended]!();
  }
  await hands.empty();
  expect(new Set(taken).size).toBe(30);
  expect(await left()).toEqual([]);
});

it('leaves what is not due, of another lane, or held by another', async () => {
  await insert(['later'], 'normal', `now() + interval '1 hour'`);
  await insert(['critical'], 'critical');
  await insert(['held']);
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'other', locked_at = now()
    where payload::text like '%held%'`);
  await insert(['mine'], 'bulk');
  taker.tell();
  await isSo(() => taken.length > 0);
  await hands.empty();
  expect(taken).toEqual(['mine']);
  expect(await left()).toHaveLength(3);
});

it('locks what it takes in the name of its worker, and gives back what failed', async () => {
  await insert(['a']);
  let fail = () => {};
  work = () => new Promise((_resolve, reject) => (fail = () => reject(new Error('no'))));
  taker.tell();
  await isSo(() => taken.length === 1);
  expect(await left()).toEqual([{ locked_by: 'me', attempts: 1 }]);
  fail();
  await hands.empty();
  expect(await left()).toEqual([{ locked_by: null, attempts: 1 }]);
});

it('takes nothing without a worker, nor when it is told to stop', async () => {
  await insert(['a']);
  hands.worker = undefined;
  taker.tell();
  await taker.idle();
  hands.worker = 'me';
  stopping.abort();
  taker.tell();
  await taker.idle();
  expect(await left()).toEqual([{ locked_by: null, attempts: 0 }]);
});

it('is told of the lanes of what was inserted, each once, and of nothing without it', async () => {
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
