import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { createDatabase } from '../../../test/support/app/database.js';
import type { TestDatabase } from '../../../test/support/app/database.js';
import { until } from '../../../test/support/until.js';
import { TAKE } from './job.sql.js';
import { jobPriority } from './priority.js';
import { Capacity } from './capacity.js';
import { Task } from './task.js';
import type { Job, TaskFunctions } from './task.js';
import { MAX_ATTEMPTS, Worker } from './worker.js';
import type { WorkerTasks } from './worker.js';

let database: TestDatabase;
let sql: Client;
const workers: Worker[] = [];

beforeEach(async () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  database = await createDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await sql.end();
  await database.drop();
  jest.restoreAllMocks();
});

const start = async (tasks: Partial<WorkerTasks>): Promise<Worker> => {
  const worker = new Worker(database.url, {
    one: {} as TaskFunctions,
    expand: async () => undefined,
    giveUp: async () => undefined,
    ...tasks,
  });
  workers.push(worker);
  await worker.start();
  return worker;
};

/** A task that runs `work` for the name in the payload of each cancel job. */
const cancelTask = (work: (name: string) => ReturnType<TaskFunctions['cancel']>) =>
  ({ cancel: ({ occurrence }: { occurrence: string }) => work(occurrence) }) as unknown as TaskFunctions;

const add = (name: string, { organization = 1, lane = '' } = {}) =>
  sql.query(
    `insert into jobs (task, organization_id, lane, payload) values ('cancel', $2, $3, jsonb_build_object('occurrence', $1::text))`,
    [name, organization, lane],
  );
const jobs = async () => (await sql.query<Record<string, unknown>>('select * from jobs order by id')).rows;
const nothing = Promise.resolve(undefined);

describe('a job', () => {
  it('runs once and is gone', async () => {
    const ran: string[] = [];
    await start({ one: cancelTask((name) => (ran.push(name), nothing)) });
    await add('a');
    await until(10_000, async () => (await jobs()).length === 0);
    expect(ran).toEqual(['a']);
  });

  it('that fails waits and is told why', async () => {
    await start({ one: cancelTask(() => Promise.reject(new Error('no luck'))) });
    await add('a');
    await until(10_000, async () => (await jobs())[0]?.state === 'scheduled');
    expect(await jobs()).toMatchObject([{ attempts: 1, problem: 'no luck', worker: null }]);
  });

  it('that was taken too often is given up', async () => {
    const given: unknown[] = [];
    await start({ one: cancelTask(() => nothing), giveUp: async ({ payload }) => void given.push(payload) });
    await sql.query(
      `insert into jobs (task, organization_id, payload, attempts) values ('cancel', 1, '{"occurrence": "a"}', $1)`,
      [MAX_ATTEMPTS],
    );
    await until(10_000, async () => (await jobs()).length === 0);
    expect(given).toEqual([{ occurrence: 'a' }]);
  });

  it('that leaves a rest comes back with it', async () => {
    const seen: unknown[] = [];
    const cancel = (payload: { left?: number }) => {
      seen.push(payload.left);
      return Promise.resolve(
        payload.left === 0 ? undefined : { waitMs: 0, payload: { left: (payload.left ?? 2) - 1 } },
      );
    };
    await start({ one: { cancel } as unknown as TaskFunctions });
    await add('a');
    await until(10_000, async () => (await jobs()).length === 0);
    expect(seen).toEqual([undefined, 1, 0]);
  });

  it('whose switch is off is paused', async () => {
    await start({ one: cancelTask(() => Promise.resolve({ off: ['event', 7] })) });
    await add('a');
    await until(10_000, async () => (await jobs())[0]?.state === 'paused');
    expect(await jobs()).toMatchObject([{ switch: 'event', switch_id: 7, worker: null }]);
  });

  it('that hangs does not keep others from running', async () => {
    const ran: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    await start({ one: cancelTask((name) => (ran.push(name), name === 'hangs' ? held : nothing)) });
    await add('hangs');
    await add('ends');
    await until(10_000, () => ran.includes('ends'));
    release();
  });

  it('that could not be completed is completed later, and runs once', async () => {
    const ran: string[] = [];
    await sql.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse before delete on jobs for each row execute function refuse()`);
    await start({ one: cancelTask((name) => (ran.push(name), nothing)) });
    await add('a');
    const { warn } = Logger.prototype as unknown as { warn: jest.Mock };
    await until(10_000, () => warn.mock.calls.length > 1);
    await sql.query('drop function refuse cascade');
    await until(10_000, async () => (await jobs()).length === 0);
    expect(ran).toEqual(['a']);
  });

  it('that this worker took without knowing is freed and runs', async () => {
    const ran: string[] = [];
    const { id } = await start({ one: cancelTask((name) => (ran.push(name), nothing)) });
    await sql.query(
      `insert into jobs (task, organization_id, payload, state, worker, taken_at)
       values ('cancel', 1, '{"occurrence": "lost"}', 'running', $1, now() - interval '16 seconds')`,
      [id],
    );
    await until(10_000, async () => (await jobs()).length === 0);
    expect(ran).toEqual(['lost']);
  });
});

describe('room', () => {
  const waiting = async () =>
    (await sql.query<{ n: number }>(`select count(*)::int n from jobs where state = 'ready'`)).rows[0]!.n;

  it('is left for another organization, however many jobs one has and whatever their lanes', async () => {
    const ran: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    await start({ one: cancelTask((name) => (ran.push(name), name === 'slow' ? held : nothing)) });
    for (let i = 0; i < 60; i++) await add('slow', { organization: 1, lane: `lane ${10 + i}` });
    await until(10_000, () => ran.length >= 8);
    await add('other', { organization: 2 });
    await until(10_000, () => ran.includes('other'));
    expect(await waiting()).toBeGreaterThan(40);
    release();
  });

  it('of one organization is not used up by another, even if their lanes have the same name', async () => {
    await sql.query(
      `insert into jobs (task, organization_id, size, priority, payload)
       select '${Task.Expand}', 1, 100, ${jobPriority('critical')}, '{"occurrences": []}' from generate_series(1, 60)`,
    );
    const takenBeside = async (held: number) => {
      await sql.query(
        `insert into jobs (task, organization_id, payload) values ('${Task.Expand}', 2, '{"occurrences": []}')`,
      );
      const room = new Capacity(1000, 1000, 500);
      room.enter({ organizationId: 1, lane: '', size: held });
      const { rows } = await sql.query<Job>(TAKE.expand.text, [7, 0, '', 400, ...room.limits(), 400]);
      return rows.map(({ organizationId }) => organizationId).sort((a, b) => a - b);
    };
    expect(await takenBeside(500)).toEqual([2]);
    // One more job fits. Those that do not fit must not count as if they did.
    expect(await takenBeside(450)).toEqual([1, 2]);
  });

  it('goes to all organizations in turn', async () => {
    const order: number[] = [];
    await sql.query(
      `insert into jobs (task, organization_id, size, payload)
       select '${Task.Expand}', organization, 100, '{"occurrences": []}'
       from generate_series(1, 5) organization, generate_series(1, 60)`,
    );
    await start({
      expand: async (taken: Job[], { done }) => {
        for (const job of taken) {
          order.push(job.organizationId);
          done(job);
        }
      },
    });
    await until(30_000, async () => (await jobs()).length === 0);
    // Each organization has had about as many turns as any other, at any time.
    const counts = new Map<number, number>();
    for (const organization of order.slice(0, 150)) counts.set(organization, (counts.get(organization) ?? 0) + 1);
    expect(counts.size).toBe(5);
    for (const count of counts.values()) expect(Math.abs(count - 30)).toBeLessThan(12);
  });
});
