import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { call, numbered, pathNames, pathOf } from '../support/contract/operations.js';
import { invalid, notFound } from '../support/contract/problems.js';
import { until } from '../support/until.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const USERS = '/api/o/acme/u/';
const NOT_AN_EMAIL = 'must be an e-mail address of at most 254 characters, such as ann@example.com';
const answer = ({ status, body }: { status: number; body: unknown }) => [status, body];
const get = async (path: string) => answer(await app.as(key).get(path));
const post = async (path: string, body: object) => answer(await app.as(key).post(path).send(body));

/** The id in the database, which is what an answer must show. */
async function idOf(email: string): Promise<number> {
  const sql = `select u.id from users u join organizations o on o.id = u.organization_id where o.slug = 'acme' and u.email = $1`;
  return (await app.pool.query<{ id: number }>(sql, [email])).rows[0]!.id;
}

let people = 0;
/** The username of a new user who has these custom fields. */
async function someone(customFields: object = {}): Promise<string> {
  const email = `person${++people}@acme.test`;
  const [status] = await post(USERS, { email, first_name: 'Per', last_name: 'Son', custom_fields: customFields });
  expect(status).toBe(201);
  return email;
}

describe('the list of users', () => {
  it('shows those of the organization, in the order of their ids', async () => {
    const other = await app.as(await app.key({ org: 'globex' })).get('/api/o/globex/u/');
    const [ann, bob] = ['ann@globex.test', 'bob@globex.test'];
    const ids = (other.body as { id: number }[]).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(other.body).toEqual([
      { id: ids[0], email: ann, username: ann, first_name: 'Ann', last_name: 'Lee', locked: false },
      { id: ids[1], email: bob, username: bob, first_name: '', last_name: '', locked: true },
    ]);
  });
});

describe('a search of users', () => {
  const found = async (search: string) => {
    const [status, body] = await get(`${USERS}?search=${encodeURIComponent(search)}`);
    expect(status).toBe(200);
    return (body as { email: string }[]).map(({ email }) => email);
  };

  beforeAll(async () => {
    const people = [
      ['Zoe_1@found.test', 'Zoë', 'Quint'],
      ['zoe21@found.test', 'ZOE', 'Öz'],
      ['quentin@found.test', 'Quentin', 'Zoeller'],
      ['m.hertz@found.test', 'Max', 'Rossi'],
    ];
    for (const [email, first_name, last_name] of people) await post(USERS, { email, first_name, last_name });
    await post(`${USERS}zoe_1@found.test/address/`, { name: 'phone', value: '+39 06 555' });
    await app.apply(`
organizations:
  - slug: globex
    name: Globex
    users: [{ email: zoe@globex.test, first_name: Zoe, last_name: Quint }]
`);
  });

  it.each([
    ['zoe', ['Zoe_1@found.test', 'zoe21@found.test', 'quentin@found.test']],
    ['ZOE_', ['Zoe_1@found.test']],
    ['zoë', ['Zoe_1@found.test']],
    ['  qu  zoe ', ['Zoe_1@found.test', 'quentin@found.test']],
    ['+3906555', ['Zoe_1@found.test']],
    ['zoeller quentin@found', ['quentin@found.test']],
    ['ÖZ', ['zoe21@found.test']],
    ['oe', ['Zoe_1@found.test', 'zoe21@found.test', 'quentin@found.test']],
    ['OSSI', ['m.hertz@found.test']],
    ['ossi found.test', ['m.hertz@found.test']],
    ['6555', ['Zoe_1@found.test']],
    ['found.test', ['Zoe_1@found.test', 'zoe21@found.test', 'quentin@found.test', 'm.hertz@found.test']],
    ['%', []],
    ['o%e', []],
    ['zoe\\', []],
    ['zoe nobody', []],
  ])('finds with %j those who have each word in a name, the e-mail or an address', async (search, emails) => {
    expect(await found(search)).toEqual(emails);
  });

  it('goes on page by page', async () => {
    const first = await app.as(key).get(`${USERS}?search=zoe&limit=2`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link as string)![1]!;
    const second = await get(next.slice(app.url.length));
    expect([first.body, second]).toMatchObject([
      [{ email: 'Zoe_1@found.test' }, { email: 'zoe21@found.test' }],
      [200, [{ email: 'quentin@found.test' }]],
    ]);
  });

  it('shows those whom the words start before those who have them inside, page by page', async () => {
    const pages: string[][] = [];
    for (let path: string | undefined = `${USERS}?search=z&limit=3`; path;) {
      const page: { body: unknown; headers: { link?: string } } = await app.as(key).get(path).expect(200);
      pages.push((page.body as { email: string }[]).map(({ email }) => email));
      path = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1]?.slice(app.url.length);
    }
    expect(pages).toEqual([['Zoe_1@found.test', 'zoe21@found.test', 'quentin@found.test'], ['m.hertz@found.test']]);
    expect(await get(`${USERS}?search=z&after=inside-x`)).toMatchObject([
      400,
      { errors: { after: [expect.any(String)] } },
    ]);
  });

  it('looks through every user of a large organization, and of no other', async () => {
    await app.pool.query(
      `insert into users (organization_id, email, email_key, first_name)
       select o.id, n || '@many.test', n || '@many.test', case when n % 4999 = 0 then 'Haystack needle ' || o.slug else '' end
       from organizations o, generate_series(1, 9998) n`,
    );
    expect(await found('needle')).toEqual(['4999@many.test', '9998@many.test']);
    const first = await app.as(key).get(`${USERS}?search=needle&limit=1`);
    const next = /after=([^&>]+)/.exec(first.headers.link as string)![1]!;
    expect(next).toMatch(/^inside-/);
    expect(await get(`${USERS}?search=needle&limit=1&after=${next}`)).toMatchObject([
      200,
      [{ email: '9998@many.test' }],
    ]);
    await app.pool.query(`delete from users where email like '%@many.test'`);
  });

  it.each(['', ' ', 'a b c d e f', 'x'.repeat(101)])('refuses %j', async (search) => {
    const problem = 'must be 1 to 5 words, of at most 100 characters together';
    expect(await get(`${USERS}?search=${encodeURIComponent(search)}`)).toEqual([400, invalid({ search: [problem] })]);
  });
});

describe('a new user', () => {
  it('is answered with custom fields and without locked', async () => {
    const body = {
      email: 'Cleo@Acme.test',
      first_name: 'Cleo',
      last_name: 'Öz',
      custom_fields: { a: [1, { b: null }] },
    };
    const created = await post(USERS, body);
    expect(created).toEqual([201, { id: await idOf('Cleo@Acme.test'), username: 'Cleo@Acme.test', ...body }]);
  });

  it('needs an e-mail only, and has it as an address', async () => {
    const email = 'dan@acme.test';
    const created = await post(USERS, { email });
    const shown = { id: await idOf(email), email, username: email, first_name: '', last_name: '' };
    expect(created).toEqual([201, { ...shown, custom_fields: {} }]);
    expect(await get(`${USERS}${email}/`)).toEqual([200, { ...shown, locked: false }]);
    expect(await get(`${USERS}${email}/address/`)).toEqual([200, [{ name: 'email', value: email }]]);
  });

  it.each(['ann@acme.test', 'ANN@acme.test', 'Ann@Acme.Test'])('cannot be %s, who exists', async (email) => {
    const error = { email: ['is already used by another user'] };
    expect(await post(USERS, { email })).toEqual([400, invalid(error)]);
  });

  it('can have the e-mail of a user of another organization', async () => {
    expect((await post(USERS, { email: 'ann@globex.test' }))[0]).toBe(201);
  });

  it.each([
    ['words of JavaScript', { constructor: 'Bob the Builder', prototype: 1, hasOwnProperty: 2, toString: 3, then: 4 }],
    ['words of Prisma', { $type: 'Raw', value: { set: 1 }, deep: { $type: 'DateTime', value: '2030-01-01' } }],
    [
      'texts of all kinds',
      { '': ' ', 'a.b': '😀 ü \\ " \' \u0001', date: '2030-01-01T00:00:00Z', n: -0.5, big: 9007199254740991 },
    ],
  ])('keeps custom fields as they were sent: %s', async (_, customFields) => {
    const email = `keep${++people}@acme.test`;
    const [status, body] = await post(USERS, { email, custom_fields: customFields });
    expect([status, (body as { custom_fields: object }).custom_fields]).toEqual([201, customFields]);
  });
});

describe('one user', () => {
  it.each(['ann@acme.test', 'ANN@ACME.TEST'])('is found as %s', async (username) => {
    const ann = {
      email: 'ann@acme.test',
      username: 'ann@acme.test',
      first_name: 'Ann',
      last_name: 'Lee',
      locked: false,
    };
    expect(await get(`${USERS}${username}/`)).toEqual([200, { id: await idOf('ann@acme.test'), ...ann }]);
  });

  it.each(['o/ne@acme.test', 'pl+us@acme.test', "o'neil@acme.test", 'per%cent@acme.test', 'q?m#h@acme.test'])(
    'is found although the name is as odd as %s',
    async (email) => {
      expect((await post(USERS, { email }))[0]).toBe(201);
      const [status, body] = await get(`${USERS}${encodeURIComponent(email)}/`);
      expect([status, (body as { email: string }).email]).toEqual([200, email]);
    },
  );
});

describe.each(['put', 'patch'] as const)('an update by %s', (method) => {
  const update = async (username: string, body: object) =>
    answer(await app.as(key)[method](`${USERS}${username}/`).send(body));
  const fieldsAfter = async (username: string, body: object) => {
    const [status, user] = await update(username, body);
    return [status, (user as { custom_fields: unknown }).custom_fields];
  };

  it('changes what it names, and answers the user with custom fields', async () => {
    const email = await someone({ team: 'ops' });
    const rest = { id: await idOf(email), email, username: email, custom_fields: { team: 'ops' } };
    const lock = await update(email.toUpperCase(), { locked: true });
    expect(lock).toEqual([200, { ...rest, first_name: 'Per', last_name: 'Son', locked: true }]);
    const names = await update(email, { first_name: '', last_name: 'X' });
    expect(names).toEqual([200, { ...rest, first_name: '', last_name: 'X', locked: true }]);
    const { custom_fields: _, ...shown } = names[1] as { custom_fields: object };
    expect(await get(`${USERS}${email}/`)).toEqual([200, shown]);
  });

  it('changes nothing when it names nothing, or has no body at all', async () => {
    const email = await someone();
    const [, before] = await get(`${USERS}${email}/`);
    expect(await update(email, {})).toEqual([200, { ...(before as object), custom_fields: {} }]);
    expect((await app.as(key)[method](`${USERS}${email}/`)).status).toBe(200);
    expect(await get(`${USERS}${email}/`)).toEqual([200, before]);
  });

  it.each([{}, { _mode: 'IGNORE' }])('leaves custom fields alone with %j', async (mode) => {
    expect(await fieldsAfter(await someone({ a: 1 }), { custom_fields: { b: 2 }, ...mode })).toEqual([200, { a: 1 }]);
  });

  it('swaps custom fields with REPLACE', async () => {
    const email = await someone({ a: 1, b: { c: 2 } });
    expect(await fieldsAfter(email, { custom_fields: { b: { d: 3 } }, _mode: 'REPLACE' })).toEqual([
      200,
      { b: { d: 3 } },
    ]);
    expect(await fieldsAfter(email, { custom_fields: {}, _mode: 'REPLACE' })).toEqual([200, {}]);
  });

  it('merges custom fields deeply with MERGE, where a list or a null is a value like any other', async () => {
    const email = await someone({ keep: 1, deep: { keep: 2, change: 3, list: [1, 2] }, flat: 1, object: { x: 1 } });
    const change = { deep: { change: 4, list: [3], new: { y: 1 } }, flat: { z: 1 }, object: null };
    const merged = { keep: 1, deep: { keep: 2, change: 4, list: [3], new: { y: 1 } }, flat: { z: 1 }, object: null };
    expect(await fieldsAfter(email, { custom_fields: change, _mode: 'MERGE' })).toEqual([200, merged]);
    expect(await fieldsAfter(email, { _mode: 'MERGE' })).toEqual([200, merged]);
    expect(await fieldsAfter(email, { _mode: 'REPLACE' })).toEqual([200, merged]);
  });

  it.each(['first_name', 'last_name', 'locked', 'custom_fields', '_mode'])('refuses a null %s', async (field) => {
    const email = await someone();
    const [status, body] = await update(email, { first_name: 'New', [field]: null });
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, [field]]);
    expect(await get(`${USERS}${email}/`)).toEqual([200, expect.objectContaining({ first_name: 'Per' })]);
  });

  it('counts every one of many merges at once', async () => {
    const email = await someone({ before: true });
    const numbers = Array.from({ length: 30 }, (_, n) => n);
    const merges = numbers.map((n) => update(email, { custom_fields: { all: { [`n${n}`]: n } }, _mode: 'MERGE' }));
    expect((await Promise.all(merges)).map(([status]) => status)).toEqual(numbers.map(() => 200));
    const all = Object.fromEntries(numbers.map((n) => [`n${n}`, n]));
    expect(await fieldsAfter(email, {})).toEqual([200, { before: true, all }]);
  });
});

describe('the addresses of a user', () => {
  it('cannot be added to a user whom another request is just deleting', async () => {
    const email = await someone();
    const other = await app.pool.connect();
    await other.query('begin');
    await other.query('delete from users where email = $1', [email]);
    const added = post(`${USERS}${email}/address/`, { name: 'phone', value: '+15550000001' });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(5000, async () => (await app.pool.query(waiting)).rowCount === 1);
    await other.query('commit');
    other.release();
    expect(await added).toEqual([404, notFound('user')]);
  });

  it('are listed oldest first', async () => {
    const addresses = [
      { name: 'email', value: 'ann@acme.test' },
      { name: 'phone', value: '+15551234567' },
    ];
    expect(await get(`${USERS}ann@acme.test/address/`)).toEqual([200, addresses]);
  });

  it.each([
    [{ name: 'phone', value: ' +44 (20) 7946-0.958/1 ' }, '+442079460958' + '1'],
    [{ name: 'phone', value: '+1234567' }, '+1234567'],
    [{ name: 'email', value: ' Home@Acme.test ' }, 'Home@Acme.test'],
    [{ name: ' telegram ', value: ' @ann ' }, '@ann'],
  ])('take %j as %s', async (address, value) => {
    const username = await someone();
    const stored = { name: address.name.trim(), value };
    expect(await post(`${USERS}${username}/address/`, address)).toEqual([200, stored]);
    expect(await get(`${USERS}${username}/address/`)).toEqual([200, [{ name: 'email', value: username }, stored]]);
  });

  it('take none twice, however it is written', async () => {
    const path = `${USERS}${await someone()}/address/`;
    expect((await post(path, { name: 'phone', value: '+15557654321' }))[0]).toBe(200);
    const again = invalid({ value: ['is an address of this user already, named phone'] });
    expect(await post(path, { name: 'phone', value: '+1 (555) 765-4321' })).toEqual([400, again]);
    expect((await post(path, { name: 'fax', value: '+15557654321' }))[0]).toBe(200);
  });

  const NOT_A_PHONE = 'must be an international phone number: + and 7 to 15 digits';
  it.each([
    ['phone', '15551234567', NOT_A_PHONE],
    ['phone', '+123456', NOT_A_PHONE],
    ['phone', '+1234567890123456', NOT_A_PHONE],
    ['phone', '+1555CALLNOW', NOT_A_PHONE],
    ['email', 'nobody', NOT_AN_EMAIL],
    ['email', 'a@acme.test, b@acme.test', NOT_AN_EMAIL],
    ['telegram', '   ', 'must not be blank'],
  ])('refuse the %s "%s"', async (name, value, sentence) => {
    const username = await someone();
    expect(await post(`${USERS}${username}/address/`, { name, value })).toEqual([400, invalid({ value: [sentence] })]);
    expect(await get(`${USERS}${username}/address/`)).toEqual([200, [{ name: 'email', value: username }]]);
  });
});

it.each(pathNames(numbered(3, 4, 5, 6, 7, 8)))(
  '$method $path answers 404 when there is no such $noun',
  async (operation) => {
    const { status, body } = await call(app, key, operation, pathOf(operation, { [operation.name]: 'nobody' }));
    expect([status, body]).toEqual([404, notFound(operation.noun)]);
  },
);
