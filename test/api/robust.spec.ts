import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ACME_AND_GLOBEX } from '../support/acme.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await TestApp.start();
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({ org: 'acme' });
});
afterAll(() => app.stop());

it('refuses an address that is short in characters but too long in bytes', async () => {
  const value = Array.from({ length: 750 }, (_, i) => String.fromCodePoint(0x20000 + i)).join('');
  const { status, body } = await app
    .as(key)
    .post('/api/o/acme/u/ann@acme.test/address/')
    .send({ name: 'other', value });
  expect([status, body.errors]).toEqual([400, { value: ['must be at most 2000 bytes long'] }]);
});

it('answers a page to a caller with a nonsense Host', async () => {
  const answer = await new Promise<{ status?: number; link?: unknown }>((resolve, reject) => {
    const headers = { host: 'a b:99999', authorization: `Key ${key}` };
    request(`${app.url}/api/o/acme/u/?limit=1`, { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, link: response.headers.link });
    })
      .on('error', reject)
      .end();
  });
  expect(answer.status).toBe(200);
  expect(answer.link).toMatch(/\/api\/o\/acme\/u\/\?limit=1&after=\d+>; rel="next"$/);
});

it('uses up no ids when recipients are added again', async () => {
  const { rows } = await app.pool.query<{ id: number }>(`select min(id) id from distribution_lists`);
  const listKey = await app.key();
  const path = `/api/o/acme/p/shop/d/${rows[0]!.id}/add/`;
  const emails = Array.from({ length: 50 }, (_, i) => `again${i}@acme.test`);
  const used = async () =>
    (
      await app.pool.query(
        `select (select last_value from users_id_seq) u, (select last_value from addresses_id_seq) a, (select last_value from members_id_seq) m`,
      )
    ).rows[0] as object;
  expect((await app.as(listKey).post(path).send(emails)).body).toEqual({ added: 50, existing: 0, created_users: 50 });
  const before = await used();
  expect((await app.as(listKey).post(path).send(emails)).body).toEqual({ added: 0, existing: 50, created_users: 0 });
  expect(await used()).toEqual(before);
});

it('goes on listing after the connections of lists in progress were lost', async () => {
  await app.pool.query(`
    insert into users (organization_id, email, email_key, custom_fields)
    select o.id, n || repeat('x', 200) || '@acme.test', n || repeat('x', 200) || '@acme.test', '{}'
    from organizations o, generate_series(1, 30000) n where o.slug = 'acme'`);
  const cut = Array.from(
    { length: 8 },
    () =>
      new Promise<void>((resolve) => {
        request(`${app.url}/api/o/acme/u/`, { headers: { authorization: `Key ${key}` } }, (response) => {
          response.once('readable', () => setTimeout(() => response.resume(), 200));
          response.on('error', () => undefined).on('close', resolve);
        })
          .on('error', () => resolve())
          .end();
      }),
  );
  const streaming = async () => {
    const sql = `select pid from pg_stat_activity where datname = current_database() and query like '%from users%' and state = 'active' and pid <> pg_backend_pid()`;
    return (await app.pool.query<{ pid: number }>(sql)).rows;
  };
  while ((await streaming()).length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  await app.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [
    (await streaming()).map(({ pid }) => pid),
  ]);
  await Promise.all(cut);
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.as(key).get('/api/o/acme/u/?limit=10')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
});
