import { request } from 'node:http';
import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

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
