import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createDatabase } from '../../../test/support/app/database.js';
import type { TestDatabase } from '../../../test/support/app/database.js';
import { nextRows } from './next-rows.js';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    insert into organizations (id, slug, name) values (1, 'big', 'Big'), (2, 'small', 'Small');
    insert into users (organization_id, email, email_key)
    select case when n % 200 = 0 then 2 else 1 end, n || '@acme.test', n || '@acme.test' from generate_series(1, 20000) n;
    analyze users;
    prepare next (int[], int, int) as select id from users where ${nextRows('organization_id')}`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const next = (owner: number, after: number, limit: number) => `execute next('{${owner}}', ${after}, ${limit})`;

it('returns the rows of one owner after the given id, ordered by id', async () => {
  const { rows } = await client.query<{ id: number }>(next(2, 400, 3));
  expect(rows.map(({ id }) => id)).toEqual([600, 800, 1000]);
});

it.each(['force_generic_plan', 'force_custom_plan'])('reads no rows of other owners, with %s', async (mode) => {
  await client.query(`set plan_cache_mode = ${mode}`);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze) ${next(2, 0, 1001)}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('users_organization_id_id_idx');
  expect(plan).not.toContain('Rows Removed by Filter');
});
