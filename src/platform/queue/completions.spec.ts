import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import type { QueryConfig } from 'pg';
import { createDatabase } from '../../../test/support/app/database.js';
import type { TestDatabase } from '../../../test/support/app/database.js';
import { Completions } from './completions.js';

let database: TestDatabase;
let pool: Pool;
/** The statements that were sent. */
let sent: QueryConfig[];

beforeEach(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url });
  sent = [];
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const counted = () =>
  ({ query: (query: QueryConfig) => (sent.push(query), pool.query(query)) }) as unknown as ConstructorParameters<
    typeof Completions
  >[0];

const running = async (count: number): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `insert into jobs (task, organization_id, payload, state, worker)
     select 'cancel', 1, '{}', 'running', 7 from generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
};

/** Ends jobs, and keeps the name of each row as a job of its own. */
const KEEP_NAMES = `
  with ended as (delete from jobs where id = any($1::bigint[]) and worker = $2 returning id)
  insert into jobs (task, organization_id, payload)
  select 'cancel', 1, jsonb_build_object('name', name)
  from unnest($3::bigint[], $4::text[]) t(job, name) join ended on ended.id = t.job`;

const keep = (...names: string[]) => ({ text: KEEP_NAMES, rows: names.map((name) => [name]) });

it('writes jobs that end together with one statement for those with a rest, and one for the others', async () => {
  const jobs = await running(300);
  const written: string[] = [];
  const completions = new Completions(counted(), '7', new AbortController().signal, new Logger(), (some) =>
    written.push(...some),
  );
  for (const [index, job] of jobs.entries()) {
    completions.add(job, index < 200 ? keep(`${index} first`, `${index} second`) : undefined);
  }
  await completions.drained();
  expect(sent).toHaveLength(2);
  expect(written.sort()).toEqual([...jobs].sort());
  const { rows } = await pool.query<{ name: string }>(`select payload->>'name' name from jobs order by id`);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(400);
});

it('leaves the rest of a job alone that another worker has taken over', async () => {
  const [ours, theirs] = await running(2);
  await pool.query('update jobs set worker = 8 where id = $1', [theirs]);
  const completions = new Completions(counted(), '7', new AbortController().signal, new Logger(), () => undefined);
  completions.add(ours!, keep('ours'));
  completions.add(theirs!, keep('theirs'));
  await completions.drained();
  const { rows } = await pool.query<{ worker: string | null; name: string | null }>(
    `select worker, payload->>'name' name from jobs order by id`,
  );
  expect(rows).toEqual([
    { worker: '8', name: null },
    { worker: null, name: 'ours' },
  ]);
});
