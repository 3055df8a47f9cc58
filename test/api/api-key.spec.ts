import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LIST_API_KEYS } from '../../src/api/api-key/api-key.sql.js';
import { ApiKeyStore } from '../../src/auth/api-key-store.js';
import type { Problem } from '../../src/platform/http/problem.js';
import { TestApp } from '../support/app/app.js';
import type { KeyOptions } from '../support/app/app.js';
import { allBut } from '../support/contract/operations.js';
import { until } from '../support/until.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

const KEYS = '/api/o/acme/k/';

interface Key {
  id: number;
  name: string;
  project: string | null;
  application: string | null;
  last_used_at: string | null;
}

let app: TestApp;
let all: string;

beforeAll(async () => {
  app = await TestApp.start();
  await app.apply(ACME_AND_GLOBEX);
  all = await app.key({ org: 'acme' });
});
afterAll(() => app.stop());

const create = async (key: string, body: object) => {
  const { status, body: answer } = await app.as(key).post(KEYS).send(body);
  return { status, answer: answer as Key & { key: string; errors?: Record<string, string[]> } };
};

const namesSeenBy = async (key: string) => {
  const { status, body } = await app.as(key).get(KEYS);
  expect(status).toBe(200);
  return (body as Key[]).map(({ name }) => name);
};

const PING = { name: 'ping', permissions: ['system:ping'] };

it('is created, works, is listed without its text, is revoked, and works no more', async () => {
  const { status, answer } = await create(all, {
    ...{ name: ' ci ', permissions: ['system:ping', 'event:list', 'system:ping'] },
    ...{ project: 'shop', application: 'web', expires_at: '2099-01-01T00:00:00+01:00' },
  });
  expect([status, answer]).toEqual([
    201,
    {
      ...{ id: expect.any(Number), name: 'ci', permissions: ['system:ping', 'event:list'] },
      ...{
        project: 'shop',
        application: 'web',
        created_at: expect.any(String),
        expires_at: '2098-12-31T23:00:00.000Z',
        rate_limit: null,
      },
      key: expect.stringMatching(/^crl_[0-9a-f]{72}$/),
    },
  ]);
  expect((await app.as(answer.key).get('/api/system/ping/')).body).toEqual({ token: 'ci' });
  expect((await app.as(answer.key).get('/api/o/acme/p/shop/a/web/e/')).status).toBe(200);
  expect((await app.as(answer.key).get('/api/o/acme/p/shop/a/till/e/')).status).toBe(404);
  const { key: _, ...shown } = answer;
  // The service answers first, and then stores when a key was used.
  const isUsed = ({ id, last_used_at }: Key) => id === answer.id && last_used_at !== null;
  const listed = await until(20_000, async () => {
    const found = await app.as(all).get(KEYS);
    return (found.body as Key[]).some(isUsed) && found;
  });
  expect(listed.body).toContainEqual({ ...shown, revoked_at: null, last_used_at: expect.any(String) });
  expect(JSON.stringify(listed.body)).not.toContain('crl_');
  const revoked = await app.as(all).post(`${KEYS}${answer.id}/revoke/`);
  expect([revoked.status, revoked.body]).toMatchObject([200, { id: answer.id, revoked_at: expect.any(String) }]);
  expect((await app.as(answer.key).get('/api/system/ping/')).status).toBe(401);
  expect((await app.as(all).post(`${KEYS}${answer.id}/revoke/`)).body).toEqual(revoked.body);
});

describe('a new key never exceeds the one that creates it', () => {
  it('in what it may do', async () => {
    const two = await app.key({ org: 'acme', permissions: ['apikey:write', 'user:read'] });
    const { status, answer } = await create(two, { name: 'x', permissions: ['user:read', 'user:write', 'event:list'] });
    expect([status, answer.errors]).toEqual([
      400,
      { permissions: ['must not exceed those of your own key: user:write, event:list'] },
    ]);
    expect((await create(two, { name: 'x', permissions: ['user:read'] })).status).toBe(201);
    expect((await create(two, { name: 'x', permissions: ['apikey:write', 'user:read'] })).status).toBe(201);
  });

  const shop = { org: 'acme', project: 'shop' };
  const web = { ...shop, application: 'web' };
  it.each<[KeyOptions, object, Partial<Key> | string]>([
    [{ org: 'acme' }, {}, { project: null, application: null }],
    [{ org: 'acme' }, { project: 'depot', application: 'gate' }, { project: 'depot', application: 'gate' }],
    [{}, { project: 'shop' }, { project: 'shop', application: null }],
    [shop, {}, { project: 'shop', application: null }],
    [shop, { application: 'till' }, { project: 'shop', application: 'till' }],
    [shop, { project: 'shop', application: 'web' }, { project: 'shop', application: 'web' }],
    [web, {}, { project: 'shop', application: 'web' }],
    [web, { project: 'shop' }, { project: 'shop', application: 'web' }],
    [{ org: 'acme' }, { project: 'nowhere' }, 'project'],
    [{ org: 'acme' }, { application: 'web' }, 'application'],
    [{ org: 'acme' }, { project: 'shop', application: 'gate' }, 'application'],
    [shop, { project: 'depot' }, 'project'],
    [shop, { application: 'gate' }, 'application'],
    [web, { project: 'depot' }, 'project'],
    [web, { application: 'till' }, 'application'],
    [web, { project: 'shop', application: 'till' }, 'application'],
  ])('in where it reaches: %j creates %j', async (own, branch, expected) => {
    const { status, answer } = await create(await app.key(own), { ...PING, ...branch });
    if (typeof expected === 'string') expect([status, Object.keys(answer.errors!)]).toEqual([400, [expected]]);
    else expect([status, answer]).toEqual([201, expect.objectContaining(expected)]);
  });

  it('in where it reaches: a project is looked for in its own organization, an application in its project', async () => {
    const own = app.as(await app.key({ org: 'globex' }));
    const { status, body } = await own.post('/api/o/globex/k/').send({ ...PING, project: 'shop' });
    expect([status, body]).toMatchObject([201, { project: 'shop', application: null }]);
    const { answer } = await create(all, { ...PING, application: 'web' });
    expect(answer.errors).toEqual({ application: ['requires project: give both'] });
  });

  it('in how long it lives', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const short = await app.key({ org: 'acme', expiresAt });
    expect((await create(short, PING)).answer).toMatchObject({ expires_at: expiresAt.toISOString() });
    const sooner = new Date(Date.now() + 60_000).toISOString();
    expect((await create(short, { ...PING, expires_at: sooner })).answer).toMatchObject({ expires_at: sooner });
    expect((await create(short, { ...PING, expires_at: expiresAt.toISOString() })).status).toBe(201);
    const { status, answer } = await create(short, { ...PING, expires_at: '2099-01-01T00:00:00Z' });
    expect([status, answer.errors]).toEqual([
      400,
      { expires_at: [`must not be later than that of your own key, ${expiresAt.toISOString()}`] },
    ]);
  });
});

it.each([
  [{}, ['name', 'permissions']],
  [{ ...PING, name: ' ' }, ['name']],
  [{ ...PING, permissions: [] }, ['permissions']],
  [{ ...PING, permissions: ['everything'] }, ['permissions']],
  [{ ...PING, permissions: 'system:ping' }, ['permissions']],
  [{ ...PING, expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
  [{ ...PING, expires_at: 'tomorrow' }, ['expires_at']],
  [{ ...PING, project: null }, ['project']],
  [{ ...PING, project: 'sh\u0000op' }, ['project']],
  [{ ...PING, hash: 'x' }, ['hash']],
])('refuses %j', async (body, fields) => {
  const { status, answer } = await create(all, body);
  expect([status, Object.keys(answer.errors ?? {})]).toEqual([400, fields]);
  for (const sentences of Object.values(answer.errors ?? {})) expect(sentences).toContainEqual(expect.any(String));
});

it('is seen and revoked only from its own branch', async () => {
  const ids = {
    organization: await app.keyWithId({ org: 'acme', name: 'of-acme' }),
    shop: await app.keyWithId({ org: 'acme', project: 'shop', name: 'of-shop' }),
    depot: await app.keyWithId({ org: 'acme', project: 'depot', name: 'of-depot' }),
    operator: await app.keyWithId({ name: 'of-operators' }),
    globex: await app.keyWithId({ org: 'globex', name: 'of-globex' }),
  };
  const seen = await namesSeenBy(all);
  expect(seen).toEqual(expect.arrayContaining(['of-acme', 'of-shop', 'of-depot']));
  expect(seen).not.toEqual(expect.arrayContaining(['of-globex']));
  expect(seen).not.toEqual(expect.arrayContaining(['of-operators']));
  const shop = await app.key({ org: 'acme', project: 'shop', name: 'asks' });
  const some = await namesSeenBy(shop);
  expect(some).toEqual(expect.arrayContaining(['of-shop', 'asks']));
  expect(some.filter((name) => ['of-acme', 'of-depot'].includes(name))).toEqual([]);
  const web = await app.key({ org: 'acme', project: 'shop', application: 'web', name: 'of-web' });
  const few = await app.as(web).get(KEYS);
  expect(few.body).toContainEqual(expect.objectContaining({ name: 'of-web', project: 'shop', application: 'web' }));
  expect(new Set((few.body as Key[]).map(({ application }) => application))).toEqual(new Set(['web']));
  const [first, second] = (await app.as(all).get(`${KEYS}?limit=2`)).body as [Key, Key];
  expect((await app.as(all).get(`${KEYS}?limit=1&after=${first.id}`)).body).toEqual([second]);
  for (const { id } of [ids.organization, ids.depot, ids.operator, ids.globex]) {
    expect((await app.as(shop).post(`${KEYS}${id}/revoke/`)).status).toBe(404);
  }
  expect((await app.as(shop).post(`${KEYS}${ids.shop.id}/revoke/`)).status).toBe(200);
  const { rows } = await app.pool.query('select name from api_keys where revoked_at is not null and name like $1', [
    'of-%',
  ]);
  expect(rows).toEqual([{ name: 'of-shop' }]);
});

it('is not revoked by a key that may do less', async () => {
  const { id, text } = await app.keyWithId({ org: 'acme', permissions: ['system:ping', 'user:write', 'audit:read'] });
  const path = `${KEYS}${id}/revoke/`;
  const weak = await app.keyWithId({ org: 'acme', permissions: ['apikey:write', 'system:ping'] });
  const { status, body } = await app.as(weak.text).post(path);
  expect([status, body]).toMatchObject([
    403,
    {
      detail:
        'The API key lacks permissions of the key that it would revoke: user:write, audit:read. Use a key that has them.',
    },
  ]);
  expect((await app.as(text).get('/api/system/ping/')).status).toBe(200);
  const equal = await app.key({
    org: 'acme',
    permissions: ['apikey:write', 'system:ping', 'user:write', 'audit:read'],
  });
  expect((await app.as(equal).post(path)).status).toBe(200);
  expect((await app.as(weak.text).post(`${KEYS}${weak.id}/revoke/`)).status).toBe(200);
});

it('makes none once it was revoked, also where that was not heard of yet', async () => {
  const { id, text } = await app.keyWithId({ org: 'acme' });
  expect((await app.as(text).get(KEYS)).status).toBe(200);
  await app.pool.query('update api_keys set revoked_at = now() where id = $1', [id]); // as another process does
  expect((await app.as(text).get(KEYS)).status).toBe(200);
  expect((await create(text, PING)).status).toBe(401);
});

it('is not created in an organization that is gone, also where that was not heard of yet', async () => {
  await app.apply('organizations: [{ slug: gone, name: Gone }]');
  const operator = app.as(await app.key());
  expect((await operator.get('/api/o/gone/k/')).status).toBe(200);
  await app.pool.query(`delete from organizations where slug = 'gone'`); // as another process does
  const { status, body } = await operator.post('/api/o/gone/k/').send(PING);
  expect([status, body]).toMatchObject([404, { detail: 'There is no such organization.' }]);
});

it('needs its permission', async () => {
  const noRead = await app.key({ org: 'acme', permissions: allBut('apikey:read') });
  const noWrite = await app.key({ org: 'acme', permissions: allBut('apikey:write') });
  expect((await app.as(noRead).get(KEYS)).status).toBe(403);
  expect((await app.as(noWrite).post(KEYS).send(PING)).status).toBe(403);
  expect((await app.as(noWrite).post(`${KEYS}1/revoke/`)).status).toBe(403);
  for (const id of ['0', 'x', '2147483648']) {
    expect((await app.as(all).post(`${KEYS}${id}/revoke/`)).status).toBe(404);
  }
});

it('is valid until it is revoked or expires', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000);
  const [valid, lasting, expired, revoked, other] = await Promise.all(
    [{}, { expiresAt: inAnHour }, { expiresAt: new Date(Date.now() - 1000) }, {}, {}].map((options) =>
      app.keyWithId({ org: 'acme', permissions: ['user:read'], ...options }),
    ),
  );
  const store = app.app.get(ApiKeyStore);
  expect(await store.revoke(revoked!.id, { actor: 'test' })).toBe(true);
  expect(await store.revoke(revoked!.id, { actor: 'test' })).toBe(false);
  const rights = { permissions: ['user:read'], projectId: null };
  const isValid = (id: number) =>
    store.requireUnchanged({ id, ...rights }).then(
      () => true,
      (error: Problem) => error.status !== 401,
    );
  const ids = [valid, lasting, expired, revoked].map((key) => key!.id);
  expect(await Promise.all(ids.map(isValid))).toEqual([true, true, false, false]);
  expect(await isValid(2_147_483_647)).toBe(false);
  expect(await isValid(other!.id)).toBe(true);
});

interface Listed {
  id: number;
  organization: string | null;
}

it('is listed for the operator: the keys of one organization, or all, oldest first', async () => {
  const globex = await app.keyWithId({ org: 'globex', name: 'last' });
  await app.signIn({ key: globex.text }); // a session is no key
  // A changed row moves to the end of its table.
  await app.pool.query(`update api_keys set name = 'first' where id = (select min(id) from api_keys)`);
  const list = async (org: string | null) => (await app.pool.query<Listed>(LIST_API_KEYS, [org])).rows;
  const [some, every] = [await list('globex'), await list(null)];
  expect(some.at(-1)).toMatchObject({ id: globex.id, name: 'last', organization: 'globex' });
  expect(new Set(some.map(({ organization }) => organization))).toEqual(new Set(['globex']));
  expect(new Set(every.map(({ organization }) => organization))).toEqual(new Set(['acme', 'globex', null]));
  const ids = every.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  // Each once, whatever other projects and applications there are.
  expect(new Set(ids).size).toBe(ids.length);
});
