import { beforeAll, expect, it, jest } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

beforeAll(async () => {
  await app.pool.query(
    `insert into users (organization_id, email, email_key, custom_fields)
     select id, n || '@italy.test', n || '@italy.test', jsonb_build_object('country', 'IT', 'at', jsonb_build_object('n', n), 'tags', '["a"]'::jsonb)
     from organizations, generate_series(1, 1200) n where slug = 'acme'`,
  );
  await app.pool.query(
    `insert into users (organization_id, email, email_key, custom_fields)
     select id, 'other@globex.test', 'other@globex.test', '{"country": "IT", "secret": true}' from organizations where slug = 'globex'`,
  );
  await app.pool.query(
    `insert into users (organization_id, email, email_key, custom_fields)
     select id, 'large@acme.test', 'large@acme.test', jsonb_build_object('bulk', repeat('x', 10000), 'a.b', 1) from organizations where slug = 'acme'`,
  );
});

interface Answer {
  users: number;
  checked: number;
  complete: boolean;
  sample: string[];
  custom_fields: object[];
  errors?: Record<string, string[]>;
}

async function preview(body: object, as = key) {
  const answer = await app.as(as).post('/api/o/acme/audience/preview/').send(body);
  return { status: answer.status, body: answer.body as Answer };
}

it('counts the users of an audience in the organization, over several parts, and shows the first', async () => {
  const { status, body } = await preview({ audience: { field: 'custom_fields.country', is: 'IT' } });
  const { custom_fields, checked, ...counted } = body;
  expect([status, counted]).toEqual([
    200,
    { users: 1200, complete: true, sample: Array.from({ length: 10 }, (_, n) => `${n + 1}@italy.test`) },
  ]);
  const all = await preview({});
  expect(all.body).toMatchObject({ users: checked, checked, complete: true });
  expect((await preview({ audience: null })).body.users).toBe(checked);
  // Neither fields of others nor large ones.
  expect(custom_fields).toEqual([
    { name: 'at.n', types: ['number'], examples: Array.from({ length: 10 }, () => expect.any(Number)) },
    { name: 'country', types: ['string'], examples: ['IT'] },
    { name: 'tags', types: ['list'], examples: ['a'] },
  ]);
});

it('refuses an audience with the words of a notification, and needs to read users', async () => {
  const { status, body } = await preview({
    audience: { all: [{ field: 'custom_fields.country', is: [] }, { age: 3 }] },
  });
  expect([status, body.errors]).toEqual([
    400,
    {
      'audience.all[0].is': ['This is not a text, a number, true or false.'],
      'audience.all[1]': ['Give one of all, any, not, field and address.'],
    },
  ]);
  expect((await preview({ audience: 'all' })).body.errors).toEqual({ audience: ['must be an object'] });
  expect((await preview({}, await app.key({ permissions: ['event:trigger'] }))).status).toBe(403);
});

it('counts no longer than three seconds, and says how many users it checked', async () => {
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => (now += 4_000));
  const { status, body } = await preview({ audience: { field: 'custom_fields.country', is: 'IT' } });
  expect([status, body.checked, body.complete]).toEqual([200, 500, false]);
  expect(body.users).toBeLessThanOrEqual(500);
});
