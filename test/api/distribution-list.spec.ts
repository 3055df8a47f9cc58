import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { call, numbered, pathNames, pathOf } from '../support/contract/operations.js';
import { invalid, notFound } from '../support/contract/problems.js';
import { until } from '../support/until.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

interface List {
  id: number;
  name: string;
  members: string;
}
interface Member {
  id: number;
  user: string;
}

const SHOP = '/api/o/acme/p/shop/d/';
const DEPOT = '/api/o/acme/p/depot/d/';
const NOT_AN_EMAIL = 'must be an e-mail address of at most 254 characters, such as ann@example.com';
const answer = ({ status, body }: { status: number; body: unknown }) => [status, body];
const get = async (path: string) => answer(await app.as(key).get(path));
const post = async (path: string, body: object) => answer(await app.as(key).post(path).send(body));
const shown = (path: string, { id, name }: Omit<List, 'members'>) => ({
  name,
  id,
  members: `${app.url}${path}${id}/m/`,
});

let lists = 0;
/** The path of a new, empty list. */
async function emptyList(): Promise<string> {
  const [status, body] = await post(SHOP, { name: `List ${++lists}` });
  expect(status).toBe(201);
  return `${SHOP}${(body as List).id}/`;
}

const membersOf = async (list: string) => (await get(`${list}m/`))[1] as Member[];
const usersOf = async (list: string) => (await membersOf(list)).map(({ user }) => user);
const userCount = async () => Number((await app.pool.query<{ n: string }>('select count(*) n from users')).rows[0]!.n);

describe('distribution lists', () => {
  it('are those of the project, each with a link to its members', async () => {
    const { rows } = await app.pool.query<{ id: number }>(
      `select id from distribution_lists where name = 'Drivers' order by id`,
    );
    expect(await get(DEPOT)).toEqual([200, [shown(DEPOT, { id: rows[0]!.id, name: 'Drivers' })]]);
  });

  it('are created with a name, found by their id, and listed in that order', async () => {
    const [status, body] = await post(SHOP, { name: 'Night shift' });
    const list = shown(SHOP, { id: (body as List).id, name: 'Night shift' });
    expect([status, body]).toEqual([201, list]);
    expect(await get(`${SHOP}${list.id}/`)).toEqual([200, list]);
    expect(((await get(SHOP))[1] as List[]).at(-1)).toEqual(list);
    expect(await get(`${SHOP}${list.id}/m/`)).toEqual([200, []]);
  });

  it('have names without blanks around them', async () => {
    const [status, body] = await post(SHOP, { name: ' \t Day  shift\n' });
    expect([status, body]).toEqual([201, shown(SHOP, { id: (body as List).id, name: 'Day  shift' })]);
  });

  it.each(['Staff', 'sTAFF', '  staff '])('cannot be called "%s" when there is Staff', async (name) => {
    const error = invalid({ name: ['is already used by another distribution list'] });
    expect(await post(SHOP, { name })).toEqual([400, error]);
  });

  it('can have the name of a list in another project', async () => {
    expect((await post(DEPOT, { name: 'Staff' }))[0]).toBe(201);
  });
});

describe('adding recipients', () => {
  it('counts who was added, who was there, and who became a user', async () => {
    const list = await emptyList();
    const first = await post(`${list}add/`, ['ann@acme.test', 'Eve@Acme.test']);
    expect(first).toEqual([200, { added: 2, existing: 0, created_users: 1 }]);
    const second = await post(`${list}add/`, ['EVE@acme.test', 'bob@acme.test', 'fay@acme.test']);
    expect(second).toEqual([200, { added: 2, existing: 1, created_users: 1 }]);
    expect((await usersOf(list)).sort()).toEqual(['Eve@Acme.test', 'ann@acme.test', 'bob@acme.test', 'fay@acme.test']);
  });

  it('makes real users, with their address', async () => {
    await post(`${await emptyList()}add/`, ['Gus@Acme.test']);
    const [status, body] = await get('/api/o/acme/u/gus@acme.test/');
    const gus = { email: 'Gus@Acme.test', username: 'Gus@Acme.test', first_name: '', last_name: '', locked: false };
    expect([status, body]).toEqual([200, { id: (body as { id: number }).id, ...gus }]);
    expect(await get('/api/o/acme/u/gus@acme.test/address/')).toEqual([
      200,
      [{ name: 'email', value: 'Gus@Acme.test' }],
    ]);
  });

  it('counts a repeat within a call once', async () => {
    const list = await emptyList();
    const repeated = ['hal@acme.test', 'HAL@acme.test', ' hal@acme.test '];
    expect(await post(`${list}add/`, repeated)).toEqual([200, { added: 1, existing: 0, created_users: 1 }]);
    expect(await post(`${list}add/`, repeated)).toEqual([200, { added: 0, existing: 1, created_users: 0 }]);
    expect(await usersOf(list)).toEqual(['hal@acme.test']);
  });

  it('takes an empty list, which does nothing', async () => {
    expect(await post(`${await emptyList()}add/`, [])).toEqual([200, { added: 0, existing: 0, created_users: 0 }]);
  });

  it('adds nobody when one e-mail is bad, and says which', async () => {
    const [list, before] = [await emptyList(), await userCount()];
    const bad = await post(`${list}add/`, ['ann@acme.test', 'not-an-email', 'ivy@acme.test', 7, null]);
    const errors = { '[1]': [NOT_AN_EMAIL], '[3]': [NOT_AN_EMAIL], '[4]': [NOT_AN_EMAIL] };
    expect(bad).toEqual([400, invalid(errors)]);
    expect([await usersOf(list), await userCount()]).toEqual([[], before]);
  });

  it.each([
    ['an object', { emails: ['ann@acme.test'] }],
    ['an empty object', {}],
  ])('refuses %s', async (_, body) => {
    const error = invalid({ body: ['must be a JSON array of e-mail addresses'] });
    expect(await post(`${await emptyList()}add/`, body)).toEqual([400, error]);
  });

  it('refuses no body at all', async () => {
    const error = invalid({ body: ['must be a JSON array of e-mail addresses'] });
    expect(answer(await app.as(key).post(`${await emptyList()}add/`))).toEqual([400, error]);
  });

  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => `recipient-${n}-with-a-rather-long-name-indeed@mail.example.acme.test`);

  it('takes 10,000 recipients in one call, in a body beyond the usual 256 KB', async () => {
    const [list, emails] = [await emptyList(), many(10_000)];
    expect(JSON.stringify(emails).length).toBeGreaterThan(600_000);
    // With these, PostgreSQL makes plans for a few users.
    const first = Array.from({ length: 12 }, (_, n) => `first${n}@acme.test`);
    for (const email of first) await post(`${list}add/`, [email]);
    expect(await post(`${list}add/`, emails)).toEqual([200, { added: 10_000, existing: 0, created_users: 10_000 }]);
    expect((await usersOf(list)).sort()).toEqual([...emails, ...first].sort());
  });

  it('refuses 10,001', async () => {
    const [list, before] = [await emptyList(), await userCount()];
    const error = invalid({ body: ['must hold at most 10000 e-mail addresses'] });
    expect(await post(`${list}add/`, many(10_001))).toEqual([400, error]);
    expect([await usersOf(list), await userCount()]).toEqual([[], before]);
  });

  it('comes to the right total when two calls at once name the same people in opposite order', async () => {
    const list = await emptyList();
    const emails = Array.from({ length: 20 }, (_, n) => `overlap${n}@acme.test`);
    // A third party holds both up half-way, so that each has done some of the people the other has still to do.
    const third = await app.pool.connect();
    await third.query('begin');
    await third.query(
      `insert into users (organization_id, email, email_key) select id, $1, $1 from organizations where slug = 'acme'`,
      [emails[10]],
    );
    const calls = [emails, [...emails].reverse()].map((people) => post(`${list}add/`, people));
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(5000, async () => (await app.pool.query(waiting)).rowCount === 2);
    await third.query('rollback');
    third.release();
    const answers = (await Promise.all(calls)) as [number, Record<string, number>][];
    expect(answers.map(([status]) => status)).toEqual([200, 200]);
    const total = (count: string) => answers.reduce((sum, [, body]) => sum + body[count]!, 0);
    expect([total('added'), total('existing'), total('created_users')]).toEqual([20, 20, 20]);
    expect((await usersOf(list)).sort()).toEqual(emails.sort());
  });

  it('comes to the right total when many calls overlap', async () => {
    const list = await emptyList();
    const emails = Array.from({ length: 200 }, (_, n) => `many${n}@acme.test`);
    const calls = Array.from({ length: 12 }, (_, n) => post(`${list}add/`, emails.slice(n * 8, n * 8 + 112)));
    const answers = (await Promise.all(calls)) as [number, Record<string, number>][];
    expect(answers.map(([status]) => status)).toEqual(calls.map(() => 200));
    expect(answers.reduce((sum, [, { added }]) => sum + added!, 0)).toBe(200);
    expect((await usersOf(list)).sort()).toEqual(emails.sort());
  });
});

describe('members', () => {
  it('show their address, their user, the channel or else the kind of address, and whether they are active', async () => {
    const [staff] = (await get(SHOP))[1] as [List];
    const members = await membersOf(`${SHOP}${staff.id}/`);
    const [ann, bob] = ['ann@acme.test', 'bob@acme.test'];
    expect(members).toEqual([
      { id: members[0]!.id, address: ann, user: ann, channel: 'email', active: true },
      { id: members[1]!.id, address: bob, user: bob, channel: 'mail', active: false },
    ]);
    const { rows } = await app.pool.query<{ id: number }>('select id from members where list_id = $1 order by id', [
      staff.id,
    ]);
    expect(members.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('are listed where the link of their list points', async () => {
    const [staff] = (await get(SHOP))[1] as [List];
    expect(await get(new URL(staff.members).pathname)).toEqual([200, await membersOf(`${SHOP}${staff.id}/`)]);
  });

  it('keep channel and activity when they are added again', async () => {
    const [staff] = (await get(SHOP))[1] as [List];
    const before = await membersOf(`${SHOP}${staff.id}/`);
    expect(await post(`${SHOP}${staff.id}/add/`, ['bob@acme.test'])).toEqual([
      200,
      { added: 0, existing: 1, created_users: 0 },
    ]);
    expect(await membersOf(`${SHOP}${staff.id}/`)).toEqual(before);
  });
});

it.each(pathNames(numbered(16, 17, 18, 19, 20)))(
  '$method $path answers 404 when there is no such $noun',
  async (operation) => {
    for (const missing of ['999999', 'nowhere']) {
      const { status, body } = await call(app, key, operation, pathOf(operation, { [operation.name]: missing }));
      expect([missing, status, body]).toEqual([missing, 404, notFound(operation.noun)]);
    }
  },
);
