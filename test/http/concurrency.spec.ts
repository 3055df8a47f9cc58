import { expect, it } from '@jest/globals';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { lockRows } from '../../src/platform/database/transaction.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { invalid } from '../support/contract/problems.js';
import { until } from '../support/until.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const TIMES = 50;

/** What fifty requests at once are answered. */
function fifty(path: string, body: object, headers: Record<string, string> = {}) {
  const requests = Array.from({ length: TIMES }, () => app.as(key).post(path).set(headers).send(body));
  return Promise.all(requests);
}

const count = async (sql: string) =>
  Number((await app.pool.query<{ n: string }>(`select count(*) n from ${sql}`)).rows[0]!.n);

it('fifty requests for the same new user make one, and tell the others that it exists', async () => {
  const answers = await fifty('/api/o/acme/u/', { email: 'new@acme.test' });
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body as unknown)).toEqual(
    Array(TIMES - 1).fill(invalid({ email: ['is already used by another user'] })),
  );
  expect(await count(`users where email_key = 'new@acme.test'`)).toBe(1);
  expect(await count(`addresses where value = 'new@acme.test'`)).toBe(1);
});

it('fifty requests for the same new distribution list make one, and tell the others that it exists', async () => {
  const answers = await fifty('/api/o/acme/p/shop/d/', { name: 'New' });
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body as unknown)).toEqual(
    Array(TIMES - 1).fill(invalid({ name: ['is already used by another distribution list'] })),
  );
  expect(await count(`distribution_lists where name_key = 'new'`)).toBe(1);
});

it('fifty requests for the same new address add one, and tell the others that it exists', async () => {
  const answers = await fifty('/api/o/acme/u/ann@acme.test/address/', { name: 'fax', value: '1' });
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ body }) => body as unknown)).toEqual(
    Array(TIMES - 1).fill(invalid({ value: ['is an address of this user already, named fax'] })),
  );
  expect(await count(`addresses where name = 'fax'`)).toBe(1);
});

it('fifty triggers with one Idempotency-Key make one occurrence, and all are told its identifier', async () => {
  const headers = { 'Idempotency-Key': 'one' };
  const answers = await fifty('/api/o/acme/p/shop/a/web/e/order-paid/trigger/', { context: { n: 1 } }, headers);
  expect(answers.map(({ status }) => status)).toEqual(Array(TIMES).fill(201));
  const { rows } = await app.pool.query<{ id: string }>('select id from occurrences');
  expect(rows).toHaveLength(1);
  expect(answers.map(({ body }) => body as unknown)).toEqual(Array(TIMES).fill({ occurrence: rows[0]!.id }));
  const replayed = answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true');
  expect(replayed).toHaveLength(TIMES - 1);
  expect(await count(`jobs where payload -> 'occurrences' ? '${rows[0]!.id}'`)).toBe(1);
});

it('of fifty triggers with one Idempotency-Key and two bodies, one body wins and the other is a conflict', async () => {
  const path = '/api/o/acme/p/shop/a/web/e/order-sent/trigger/';
  const requests = Array.from({ length: TIMES }, (_, n) =>
    app
      .as(key)
      .post(path)
      .set('Idempotency-Key', 'two')
      .send({ context: { n: n % 2 } }),
  );
  const answers = await Promise.all(requests);
  const { rows } = await app.pool.query<{ id: string; n: number }>(
    `select o.id, (o.context ->> 'n')::int n from occurrences o join events e on e.id = o.event_id where e.slug = 'order-sent'`,
  );
  expect(rows).toHaveLength(1);
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 2 === rows[0]!.n ? 201 : 409)));
});

it('merges that wait for a row for too long are told to try again, and hold up no other organization', async () => {
  const holder = await app.pool.connect();
  await holder.query('begin');
  await holder.query(`select from users where email = 'bob@acme.test' for update`);
  const body = { custom_fields: { n: 1 }, _mode: 'MERGE' };
  // More than there are connections.
  const requests = Array.from({ length: 15 }, async () => app.as(key).patch('/api/o/acme/u/bob@acme.test/').send(body));
  await until(10_000, async () => (await waitingForLocks()) >= 5);
  const other = await app.key({ org: 'globex' });
  expect((await app.as(other).patch('/api/o/globex/u/bob@globex.test/').send(body)).status).toBe(200);
  expect(await waitingForLocks()).toBe(5); // half of the connections
  const answers = await Promise.all(requests);
  await holder.query('rollback');
  holder.release();
  expect(answers.map(({ status, body: { detail } }) => `${status} ${detail as string}`).sort()).toEqual([
    ...Array<string>(10).fill(
      '429 The organization has too many requests under way: 5 is the limit. Wait until one has ended.',
    ),
    ...Array<string>(5).fill('503 Another change of the same thing is under way. Try again.'),
  ]);
  expect(new Set(answers.map(({ headers }) => headers['retry-after'] as unknown))).toEqual(new Set(['1']));
});

const waitingForLocks = () =>
  count(
    `pg_stat_activity where datname = current_database() and application_name = 'carillon api' and wait_event_type = 'Lock'`,
  );

it('two changes that wait for each other both happen', async () => {
  const prisma = app.app.get(PrismaService);
  const ids = (await prisma.project.findMany({ select: { id: true }, take: 2 })).map(({ id }) => id);
  let waiting = 0;
  let tries = 0;
  let bothHoldOne = () => {};
  const held = new Promise<void>((resolve) => (bothHoldOne = resolve));
  const lock = (first: number, second: number) =>
    prisma.change({ actor: 'test' }, async (tx) => {
      tries++;
      await lockRows(tx, 'projects', [first]);
      if (++waiting === 2) bothHoldOne();
      await held;
      await lockRows(tx, 'projects', [second]);
    });
  await Promise.all([lock(ids[0]!, ids[1]!), lock(ids[1]!, ids[0]!)]);
  expect(tries).toBe(3);
});
