import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { until } from '../support/until.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

// 20 MB, more than what lies between a reader that takes nothing and the service: the end is read when it is taken.
const USERS = 40_000;
/** More than there are connections. */
const READERS = 3;

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await TestApp.start({ DATABASE_POOL_MAX: '2' });
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({ org: 'acme' });
  await app.pool.query(`
    insert into users (organization_id, email, email_key)
    select o.id, email, email
    from organizations o, generate_series(1, ${USERS}) n, lateral (select n || repeat('x', 200) || '@acme.test' email) e
    where o.slug = 'acme'`);
});
afterAll(() => app.stop());

interface User {
  id: number;
  first_name: string;
}

/** Asks for all users, and takes nothing of them yet. */
async function ask(): Promise<IncomingMessage> {
  const call = get(`${app.url}/api/o/acme/u/`, { agent: false, headers: { authorization: `Key ${key}` } });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  call.on('error', () => undefined);
  return response.on('error', () => undefined);
}

/** Takes the rest; null when it was cut off. */
async function usersOf(response: IncomingMessage): Promise<User[] | null> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => response.once('close', resolve));
  return response.complete ? (JSON.parse(Buffer.concat(chunks).toString()) as User[]) : null;
}

const storedIds = async () =>
  (
    await app.pool.query<{ id: number }>(
      `select u.id from users u join organizations o on o.id = u.organization_id where o.slug = 'acme' order by u.id`,
    )
  ).rows.map(({ id }) => id);

it('a reader that takes its time holds no connection of the database', async () => {
  const readers = await Promise.all(Array.from({ length: READERS }, ask));
  const busy = `select from pg_stat_activity
    where datname = current_database() and application_name = 'carillon api' and state <> 'idle'`;
  await until(10_000, async () => (await app.pool.query(busy)).rowCount === 0); // what lies between is full
  expect((await app.as(key).get('/api/o/acme/u/?limit=1')).status).toBe(200);
  const ids = await storedIds();
  for (const users of await Promise.all(readers.map(usersOf))) expect(users?.map(({ id }) => id)).toEqual(ids);
});

it('shows each row once and in order, whatever is written meanwhile', async () => {
  const ids = await storedIds();
  const [first, changed, removed] = [ids.at(0), ids.at(-1), ids.at(-2)];
  const reader = await ask();
  await app.pool.query(`update users set first_name = 'New' where id in ($1, $2)`, [first, changed]);
  await app.pool.query(`delete from users where id = $1`, [removed]);
  await app.pool.query(`
    insert into users (organization_id, email, email_key)
    select id, 'late@acme.test', 'late@acme.test' from organizations where slug = 'acme'`);
  const users = (await usersOf(reader))!;
  expect(users.map(({ id }) => id)).toEqual(await storedIds());
  expect([users.at(0), users.at(-2), users.at(-1)]).toMatchObject([
    { id: first, first_name: 'Ann' },
    { id: changed, first_name: 'New' },
    { email: 'late@acme.test' },
  ]);
});

it('goes on listing after connections were lost while lists were read', async () => {
  const readers = await Promise.all(Array.from({ length: READERS }, ask));
  const reading = Promise.all(readers.map(usersOf));
  while ((await Promise.race([reading, Promise.resolve('goes on')])) === 'goes on') {
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'carillon api'`,
    );
  }
  expect(await reading).toContain(null);
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.as(key).get('/api/o/acme/u/?limit=10')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
});
