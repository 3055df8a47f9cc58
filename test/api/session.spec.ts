import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../src/auth/permission.js';
import { ScopeService } from '../../src/auth/scope.service.js';
import { readConfig } from '../../src/platform/config/config.js';
import { Purge } from '../../src/engine/purge/purge.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { MAX_PER_KEY, MAX_PER_ORGANIZATION, createLink } from '../../src/api/session/session-rows.js';
import { startApi } from '../support/app/api.js';
import type { PageHeaders, TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { Clock } from '../support/clock.js';
import { allBut } from '../support/contract/operations.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { until } from '../support/until.js';

const SESSION = '/api/session/';
const SESSIONS = '/api/o/acme/session/';
const PING = '/api/system/ping/';
const DAY_MS = 86_400_000;

interface Session {
  id: number;
  name: string;
  via: string;
}

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const idOf = async (page: PageHeaders) => ((await app.on(page).get(SESSION)).body as Session).id;
const statusOf = async (page: PageHeaders) => (await app.on(page).get(PING)).status;
const newLink = () =>
  app.app.get(PrismaService).change({ actor: 'test' }, async (tx) => {
    const [row] = await tx.$queryRawUnsafe<{ id: number }[]>(`select id from organizations where slug = 'acme'`);
    return createLink(tx, row!.id);
  });

/** Changes rows as another process does, or as time does. */
/** The service answers first, and then stores when a key was used: late, it would undo what a test changes. */
const usesStored = () => app.app.get(ScopeService)['touching'];

async function change(sql: string, ...values: unknown[]) {
  await usesStored();
  await app.pool.query(sql, values);
  app.app.get(ScopeService).forgetAll();
}

/** As the audit log has it. */
const requestOf = ({ headers }: { headers: Record<string, string> }) => ({
  request_id: headers['x-request-id'],
  address: expect.stringContaining('127.0.0.1'),
});

it('begins with a key, does what the key may do, is listed, and ends', async () => {
  const { id, text } = await app.keyWithId({ org: 'acme', project: 'shop', name: 'ops', permissions: ['system:ping'] });
  const answer = await app.as().post(SESSION).send({ key: text });
  expect([answer.status, answer.body]).toEqual([
    201,
    {
      ...{ id: expect.any(Number), via: 'key', person: null, name: 'ops', permissions: ['system:ping'] },
      ...{ organization: 'acme', project: 'shop', application: null },
      ...{ created_at: expect.any(String), last_used_at: expect.any(String), expires_at: expect.any(String) },
    },
  ]);
  const session = answer.body as Session & { created_at: string; expires_at: string };
  expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(7 * DAY_MS);
  const [cookie] = answer.headers['set-cookie'] as unknown as [string];
  expect(cookie).toMatch(/^carillon=crs_[0-9a-f]{72}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/);
  const page = { Cookie: cookie.split(';', 1)[0]!, 'Sec-Fetch-Site': 'same-origin' };
  expect((await app.on(page).get(SESSION)).body).toEqual(answer.body);
  expect((await app.on(page).get(PING)).body).toEqual({ token: 'ops' });
  expect((await app.on(page).get('/api/o/acme/u/')).status).toBe(403);
  const listed = (await app.as(key).get(SESSIONS)).body as Session[];
  expect(listed).toContainEqual(answer.body);
  expect((await app.as(key).get('/api/o/acme/k/')).body).not.toContainEqual(
    expect.objectContaining({ id: session.id }),
  );
  const ended = await app.on(page).delete(SESSION);
  expect([ended.status, ended.headers['set-cookie']]).toEqual([
    204,
    ['carillon=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'],
  ]);
  for (const path of [SESSION, PING]) expect((await app.on(page).get(path)).status).toBe(401);
  const log = await app.as(key).get('/api/o/acme/audit/');
  const entries = (log.body as { noun: string; verb: string; actor: string; key: number }[]).filter(
    (entry) => entry.noun === 'session' && entry.key === id,
  );
  expect(entries.map(({ verb, actor }) => [verb, actor])).toEqual([
    ['create', 'ops'],
    ['delete', 'ops'],
  ]);
  expect(log.body).toContainEqual(expect.objectContaining({ noun: 'session', verb: 'create', ...requestOf(answer) }));
  expect(JSON.stringify(log.body)).not.toContain('crs_');
});

it('is shown for a key in a header, which wins over the cookie and is no session', async () => {
  const { id, text } = await app.keyWithId({ name: 'operator' });
  const page = await app.signIn({ key });
  const { body } = await app.on(page).set('Authorization', `Key ${text}`).get(SESSION);
  expect(body).toMatchObject({ id, via: 'key', name: 'operator', organization: null, expires_at: null });
  expect((await app.as(text).delete(SESSION)).status).toBe(404);
  expect((await app.as(text).get(PING)).status).toBe(200);
  expect((await app.as().get(SESSION)).status).toBe(401);
});

it.each([
  [{}, 400],
  [{ key: 'x', link: 'y' }, 400],
  [{ key: 1 }, 400],
  [{ key: '' }, 400],
  [{ key: 'x'.repeat(201) }, 400],
  [{ token: 'x' }, 400],
  [{ key: 'crl_wrong' }, 401],
  [{ link: 'crt_wrong' }, 401],
])('does not begin with %j', async (body, status) => {
  const answer = await app.as().post(SESSION).send(body);
  expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined]);
});

it('has a secret that is no key, and no key is a session', async () => {
  const page = await app.signIn({ key });
  const secret = page.Cookie.split('=')[1]!;
  expect(await statusOf(page)).toBe(200);
  expect((await app.as(key).get(PING)).status).toBe(200);
  expect((await app.as(secret).get(PING)).status).toBe(401);
  expect((await app.as().post(SESSION).send({ key: secret })).status).toBe(401);
  expect((await app.as().post(SESSION).send({ link: secret })).status).toBe(401);
  expect(await statusOf({ ...page, Cookie: `carillon=${key}` })).toBe(401);
  expect(await statusOf({ ...page, Cookie: `carillon=${await newLink()}` })).toBe(401);
  expect(await statusOf({ ...page, Cookie: `a=1; ${page.Cookie}; b=2` })).toBe(200);
  expect(await statusOf({ ...page, Cookie: `${page.Cookie}; ${page.Cookie}` })).toBe(401);
  expect(await statusOf({ ...page, Cookie: page.Cookie.replace('carillon', '__Host-carillon') })).toBe(401);
});

describe('a write with the cookie', () => {
  const LISTS = '/api/o/acme/p/shop/d/';
  const own = () => `http://${new URL(app.url).host}`;

  it.each<[string, () => Record<string, string>, number]>([
    ['of a page of this service', () => ({ 'Sec-Fetch-Site': 'same-origin' }), 201],
    ['of an older browser', () => ({ Origin: own() }), 201],
    ['of another site', () => ({ 'Sec-Fetch-Site': 'cross-site', Origin: own() }), 403],
    ['of a neighbor', () => ({ 'Sec-Fetch-Site': 'same-site' }), 403],
    ['of a bookmark', () => ({ 'Sec-Fetch-Site': 'none' }), 403],
    ['of another origin', () => ({ Origin: 'https://evil.test' }), 403],
    ['of another port', () => ({ Origin: 'http://127.0.0.1:1' }), 403],
    ['of another scheme', () => ({ Origin: own().replace('http', 'https') }), 403],
    ['of a sandboxed frame', () => ({ Origin: 'null' }), 403],
    ['of nobody knows whom', () => ({}), 403],
    ['of a form', () => ({ Origin: app.url, 'Content-Type': 'text/plain' }), 403],
    ['of a page of ours, but not JSON', () => ({ 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'text/plain' }), 415],
  ])('%s', async (_, headers, status) => {
    const { Cookie } = await app.signIn({ key });
    const sent = { 'Content-Type': 'application/json', Cookie, ...headers() };
    const body = JSON.stringify({ name: `List ${Math.random()}` });
    const answer = await fetch(app.url + LISTS, { method: 'POST', headers: sent, body });
    expect(answer.status).toBe(status);
    if (status === 403) expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('cookie') });
    // A key in a header needs nothing of this, and reads change nothing.
    const { 'Content-Type': type } = sent;
    const keyed = { ...sent, Authorization: `Key ${key}` };
    const byKey = await fetch(app.url + LISTS, { method: 'POST', headers: keyed, body: body.replace('List', 'Keyed') });
    expect(byKey.status).toBe(type === 'text/plain' ? 415 : 201);
    expect((await fetch(app.url + LISTS, { headers: { ...headers(), Cookie } })).status).toBe(200);
  });

  it('needs no body, and no site signs anybody in or out', async () => {
    const page = await app.signIn({ key });
    expect((await app.on({ ...page, 'Sec-Fetch-Site': 'cross-site' }).delete(SESSION)).status).toBe(403);
    const foreign = await app.as().post(SESSION).set('Sec-Fetch-Site', 'cross-site').send({ key });
    expect([foreign.status, foreign.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await app.as().post(SESSION).set('Origin', 'https://evil.test').send({ key })).status).toBe(403);
    expect((await app.on(page).delete(SESSION)).status).toBe(204);
  });

  it('is never allowed to another origin by CORS', async () => {
    const preflight = await fetch(app.url + LISTS, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'POST' },
    });
    const read = await fetch(app.url + PING, { headers: { Origin: 'https://evil.test', Authorization: `Key ${key}` } });
    for (const { headers } of [preflight, read])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('a one-time link', () => {
  it('works once, also when two use it at the same moment', async () => {
    const link = await newLink();
    const answers = await Promise.all([1, 2, 3].map(() => app.as().post(SESSION).send({ link })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401]);
    const answer = answers.find(({ status }) => status === 201)!;
    const { body } = answer;
    const log = await app.as(key).get('/api/o/acme/audit/?limit=1000');
    expect(log.body).toContainEqual(expect.objectContaining({ actor: 'sign-in link', ...requestOf(answer) }));
    expect(body).toMatchObject({ via: 'link', name: 'console', organization: 'acme', permissions: PERMISSIONS });
    const { status, body: refusal } = await app.as().post(SESSION).send({ link });
    expect([status, refusal]).toMatchObject([401, { detail: expect.stringContaining('npx carillon console') }]);
  });

  it('works for 15 minutes, and is no session before', async () => {
    const link = await newLink();
    const { rows } = await app.pool.query<{ id: number; minutes: number }>(
      `select id, (extract(epoch from expires_at - created_at) / 60)::float8 minutes from api_keys where via = 'link' and last_used_at is null
       order by id desc limit 1`,
    );
    expect(rows[0]!.minutes).toBeCloseTo(15, 1);
    expect((await app.as(key).get(SESSIONS)).body).not.toContainEqual(expect.objectContaining({ id: rows[0]!.id }));
    await change(`update api_keys set expires_at = now() where id = $1`, rows[0]!.id);
    expect((await app.as().post(SESSION).send({ link })).status).toBe(401);
  });
});

describe('it ends', () => {
  it('with its key, in every process, with its streams', async () => {
    const parent = await app.keyWithId({ org: 'acme' });
    const page = await app.signIn({ key: parent.text });
    const second = await startApi(app);
    try {
      const stream = await EventReader.open(`${second.url}/api/o/acme/u/ann@acme.test/inbox/stream/`, page);
      expect(stream.status).toBe(200);
      expect(await statusOf(page)).toBe(200);
      expect((await app.as(key).post(`/api/o/acme/k/${parent.id}/revoke/`)).status).toBe(200);
      expect(await statusOf(page)).toBe(401);
      expect((await app.as().post(SESSION).send({ key: parent.text })).status).toBe(401);
      await until(10_000, async () => (await fetch(second.url + PING, { headers: page })).status === 401);
      await stream.untilEnd();
    } finally {
      await second.stop();
    }
  });

  it.each([
    ['when its key expires', `update api_keys set expires_at = now() where id = $2`],
    ['when its key is deleted', `delete from api_keys where id = $2`],
    [
      'after twelve hours without a request',
      `update api_keys set last_used_at = now() - interval '12 hours' where id = $1`,
    ],
    ['after seven days', `update api_keys set expires_at = now() where id = $1`],
  ])('%s', async (_, sql) => {
    const parent = await app.keyWithId({ org: 'acme' });
    const page = await app.signIn({ key: parent.text });
    const other = await app.signIn({ key });
    const id = await idOf(page);
    expect((await app.as(key).get(`${SESSIONS}?after=${id - 1}&limit=1`)).body).toMatchObject([{ id }]);
    await change(sql.replace('$1', String(id)).replace('$2', String(parent.id)));
    expect(await statusOf(page)).toBe(401);
    expect((await app.as(key).get(`${SESSIONS}?after=${id - 1}&limit=1`)).body).not.toMatchObject([{ id }]);
    expect((await app.as(key).delete(`${SESSIONS}${id}/`)).status).toBe(404);
    expect(await statusOf(other)).toBe(200);
  });

  it('not while it is used within twelve hours', async () => {
    const page = await app.signIn({ key });
    const id = await idOf(page);
    await change(`update api_keys set last_used_at = now() - interval '11 hours 59 minutes' where id = ${id}`);
    expect(await statusOf(page)).toBe(200);
  });

  it('when somebody with as many rights ends it', async () => {
    const page = await app.signIn({ key });
    const id = await idOf(page);
    const weak = await app.key({ org: 'acme', permissions: allBut('user:write') });
    const { status, body } = await app.as(weak).delete(`${SESSIONS}${id}/`);
    expect([status, body]).toMatchObject([
      403,
      { detail: expect.stringContaining('session that it would end: user:write') },
    ]);
    const noWrite = await app.key({ org: 'acme', permissions: allBut('apikey:write') });
    expect((await app.as(noWrite).delete(`${SESSIONS}${id}/`)).status).toBe(403);
    const depot = await app.key({ org: 'acme', project: 'depot' });
    expect((await app.as(depot).delete(`${SESSIONS}${id}/`)).status).toBe(404);
    expect((await app.as(depot).get(SESSIONS)).body).toEqual([]);
    expect(await statusOf(page)).toBe(200);
    const colleague = await app.signIn({ key });
    expect((await app.on(colleague).delete(`${SESSIONS}${id}/`)).status).toBe(204);
    expect(await statusOf(page)).toBe(401);
    expect((await app.as(key).delete(`${SESSIONS}x/`)).status).toBe(404);
  });

  it('when its key or its organization has too many: the oldest one', async () => {
    const parent = await app.keyWithId({ org: 'globex' });
    const first = await app.signIn({ key: parent.text });
    const second = await app.signIn({ key: parent.text });
    const fill = (count: number, of: string) =>
      app.pool.query(
        `insert into api_keys (organization_id, name, permissions, hash, via, parent_id, expires_at, last_used_at)
         select organization_id, 'x', '{}', sha256(random()::text::bytea), 'key', ${of}, now() + interval '1 day', now()
         from api_keys, generate_series(1, $2) where id = $1`,
        [parent.id, count],
      );
    await fill(MAX_PER_KEY - 2, 'id');
    const third = await app.signIn({ key: parent.text });
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([401, 200, 200]);
    await fill(MAX_PER_ORGANIZATION - MAX_PER_KEY, 'null');
    const other = await app.signIn({ key: await app.key({ org: 'globex' }) });
    expect([await statusOf(second), await statusOf(third), await statusOf(other)]).toEqual([401, 200, 200]);
    const { rowCount } = await app.pool.query(
      `select from api_keys where via is not null and organization_id = (select organization_id from api_keys where id = ${parent.id})`,
    );
    expect(rowCount).toBe(MAX_PER_ORGANIZATION);
  });
});

it('has no more permissions than its key has left', async () => {
  const parent = await app.keyWithId({ org: 'acme' });
  const page = await app.signIn({ key: parent.text });
  expect((await app.on(page).get('/api/o/acme/u/')).status).toBe(200);
  await change(`update api_keys set permissions = '{system:ping}' where id = ${parent.id}`);
  expect((await app.on(page).get('/api/o/acme/u/')).status).toBe(403);
  expect((await app.on(page).get(SESSION)).body).toMatchObject({ permissions: ['system:ping'] });
});

it('shares the rate limit of its key', async () => {
  const parent = await app.keyWithId({ org: 'acme', rateLimit: 3 });
  await Clock.stopped(async () => {
    const page = await app.signIn({ key: parent.text });
    expect(await statusOf(page)).toBe(200);
    expect((await app.as(parent.text).get(PING)).status).toBe(200);
    expect(await statusOf(page)).toBe(429);
    expect((await app.as().post(SESSION).send({ key: parent.text })).status).toBe(429);
  });
  const { rows } = await app.pool.query<{ of: number }>(
    `select rate_limit_of of from api_keys where parent_id = ${parent.id}`,
  );
  expect(rows).toEqual([{ of: parent.id }]);
});

it('creates keys that last as long as its key, not as the session', async () => {
  const body = { name: 'made', permissions: ['system:ping'] };
  const page = await app.signIn({ key });
  expect((await app.on(page).post('/api/o/acme/k/').send(body)).body).toMatchObject({ expires_at: null });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const short = await app.signIn({ key: await app.key({ org: 'acme', expiresAt }) });
  expect((await app.on(short).get(SESSION)).body).toMatchObject({ expires_at: expiresAt.toISOString() });
  expect((await app.on(short).post('/api/o/acme/k/').send(body)).body).toMatchObject({
    expires_at: expiresAt.toISOString(),
  });
});

it('is purged after its end, without a word in the audit log', async () => {
  const pages = [await app.signIn({ key }), await app.signIn({ key }), await app.signIn({ key })];
  const [expired, idle, live] = (await Promise.all(pages.map(idOf))) as [number, number, number];
  await usesStored();
  await app.pool.query(`update api_keys set expires_at = now() where id = ${expired}`);
  await app.pool.query(`update api_keys set last_used_at = now() - interval '12 hours' where id = ${idle}`);
  await app.pool.query(
    `insert into api_keys (name, permissions, hash, via, expires_at)
     select 'x', '{}', sha256(random()::text::bytea), 'link', now() from generate_series(1, 50)`,
  );
  const deletions = async () =>
    (
      await app.pool.query(
        `select from audit_entries where verb = 'delete' and noun in ('session', 'sign-in link', 'API key')`,
      )
    ).rowCount;
  const before = await deletions();
  await new Purge(app.databaseUrl, readConfig({})).run();
  const { rows } = await app.pool.query<{ id: number }>(
    `select id from api_keys where id = any($1) or via = 'link' and expires_at <= now()`,
    [[expired, idle, live]],
  );
  expect(rows).toEqual([{ id: live }]);
  expect(await deletions()).toBe(before);
});

// The last one: from now on, this address has sent too many.
it('counts a wrong key or link as a wrong key of its address', async () => {
  const bodies = [{ key: 'crl_wrong' }, { link: 'crt_wrong' }];
  const statuses: number[] = [];
  for (let i = 0; i < 300 && statuses.at(-1) !== 429; i++)
    statuses.push(
      (
        await app
          .as()
          .post(SESSION)
          .send(bodies[i % 2])
      ).status,
    );
  expect([...new Set(statuses)]).toEqual([401, 429]);
  expect((await app.as().post(SESSION).send({ key })).status).toBe(201);
});
