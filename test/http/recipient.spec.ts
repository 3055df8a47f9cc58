import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signToken } from '../../src/auth/recipient/token.js';
import { startApi } from '../support/app/api.js';
import type { SecondApi } from '../support/app/api.js';
import { TestApp } from '../support/app/app.js';
import { isStream, operations } from '../support/contract/contract.js';
import { BODIES, fillPath } from '../support/contract/operations.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { Clock } from '../support/clock.js';
import { until } from '../support/until.js';
import { fillInbox } from '../support/world/inbox.js';
import { Tenant, inbox } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
// So many that together they may ask for every operation at once.
const CROWD = Array.from({ length: 8 }, (_, i) => `user${i}@acme.test`);
const PAGE = 'https://app.acme.test';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4AWNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

// Two processes' worth of service: what one of them changes, the streams of the other show.
let app: TestApp;
let other: SecondApi;
let tenant: Tenant;
let readers: EventReader[] = [];

beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
  other = await startApi(app);
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});
beforeEach(async () => {
  tenant = await newTenant();
});
afterEach(() => {
  for (const reader of readers) reader.leave();
  readers = [];
});

const newTenant = () =>
  Tenant.create(app, {
    channels: [inbox('inbox')],
    lists: [{ name: 'Staff', members: [ANN, BOB, ...CROWD] }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [{ channel: 'inbox', subject: 'Order {{ order }}', text: 'Hi' }],
      },
    ],
  });

const tell = (user: string, order: number | string) =>
  tenant.trigger({ order }, { channels: ['inbox'], limit_to: [user] });
const userPath = (rest: string, user = ANN, org = tenant.org) => `/api/o/${org}/u/${user}/${rest}`;

async function tokenOf(user = ANN, body: object = {}, of = tenant): Promise<string> {
  const answer = await app
    .as(of.key)
    .post(userPath('token/', user, of.org))
    .send(body);
  expect(answer.status).toBe(201);
  return (answer.body as { token: string }).token;
}

interface Asked {
  method?: string;
  url?: string;
  body?: object | string;
  headers?: Record<string, string>;
}

/** As a page does it. */
async function ask(token: string | null, path: string, { method = 'GET', url = app.url, body, headers }: Asked = {}) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: (text ? JSON.parse(text) : null) as unknown };
}

const mark = (token: string, body: object, user = ANN) =>
  ask(token, userPath('inbox/mark/', user), { method: 'POST', body });
const listed = async (token: string, query = '') => {
  const { body } = await ask(token, userPath(`inbox/${query}`));
  return (body as { id: number }[]).map(({ id }) => id);
};

interface Opened {
  url?: string;
  headers?: Record<string, string>;
  user?: string;
}

async function open(token: string, { url = other.url, headers, user = ANN }: Opened = {}) {
  const reader = await EventReader.open(url + userPath('inbox/stream/', user), {
    Authorization: `Bearer ${token}`,
    ...headers,
  });
  readers.push(reader);
  return reader;
}

interface Secret {
  id: number;
  kid: string;
  secret: string;
}
const newSecret = async (of = tenant) =>
  (await app.as(of.key).post(`/api/o/${of.org}/signing-secrets/`).send({ name: 'web' })).body as Secret;

const claimsOf = (org = tenant.org, sub = ANN) => {
  const now = Math.floor(Date.now() / 1000);
  return { org, sub, scope: 'inbox preferences', iat: now, exp: now + 600 };
};

describe('a recipient token', () => {
  it('reaches the inbox and the preferences of its person', async () => {
    const { status, body } = await app.as(tenant.key).post(userPath('token/')).send({ expires_in: '15m' });
    expect([status, body]).toEqual([
      201,
      { token: expect.any(String), expires_at: expect.any(String), scopes: ['inbox', 'preferences'] },
    ]);
    const { token, expires_at: expiresAt } = body as { token: string; expires_at: string };
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 900_000)).toBeLessThan(60_000);
    const [id] = await fillInbox(app.pool, ANN, 1, tenant.org);
    expect(await listed(token)).toEqual([id]);
    expect((await ask(token, userPath('preferences/'))).status).toBe(200);
    const answer = await ask(token, userPath('preferences/'), {
      method: 'PATCH',
      body: { channels: { inbox: 'off' } },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { channels: [{ type: 'inbox', on: false, chosen_by: 'person' }] },
    });
    const entries = await app.as(tenant.key).get(`/api/o/${tenant.org}/audit/?limit=50`);
    const noted = (entries.body as { noun: string; actor: string }[]).find(({ noun }) => noun === 'preference');
    expect(noted).toMatchObject({ actor: 'recipient token' });
  });

  it('reads and changes the settings of its user, with the scope `preferences`', async () => {
    const token = await tokenOf();
    const change = { method: 'PATCH', body: { locale: 'de-at' } };
    const changed = await ask(token, userPath('settings/'), change);
    expect(changed).toMatchObject({ status: 200, body: { locale: 'de-AT', time_zone: null } });
    expect(await ask(token, userPath('settings/'))).toMatchObject({ status: 200, body: changed.body });
    expect(await ask(await tokenOf(ANN, { scopes: ['inbox'] }), userPath('settings/'), change)).toMatchObject({
      status: 403,
    });
  });

  it('opens the preference page of its person, with the scope `preferences`', async () => {
    const pageOf = (token: string) => app.as().get(`/u/${token}/preferences`).set('Accept', 'text/html');
    const page = await pageOf(await tokenOf());
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.text).toContain('For a•••@acme.test.');
    const tampered = (await tokenOf()).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const token of [await tokenOf(ANN, { scopes: ['inbox'] }), tampered])
      expect((await pageOf(token)).status).toBe(404);
    // It is about no category, so there is nothing to unsubscribe from.
    expect((await app.as().post(`/u/${await tokenOf()}`)).status).toBe(404);
  });

  it('has at most the scopes and the life that are asked for', async () => {
    const token = await tokenOf(ANN, { scopes: ['inbox'] });
    expect((await ask(token, userPath('inbox/'))).status).toBe(200);
    expect(await ask(token, userPath('preferences/'))).toMatchObject({
      status: 403,
      body: { detail: 'The recipient token lacks the scope preferences.' },
    });
    const wrong = [
      { scopes: [] },
      { scopes: ['all'] },
      { expires_in: '25h' },
      { expires_in: 0 },
      { expires_in: '1 hour' },
    ];
    for (const body of wrong)
      expect(await app.as(tenant.key).post(userPath('token/')).send(body)).toMatchObject({ status: 400 });
    const brief = await app.key({ org: tenant.org, expiresAt: new Date(Date.now() + 60_000) });
    const { body } = await app.as(brief).post(userPath('token/')).send({});
    expect(Date.parse((body as { expires_at: string }).expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it('reaches no other operation, and nobody else', async () => {
    const tokens = await Promise.all(CROWD.map((user) => tokenOf(user)));
    const others = operations.filter((operation) => operation['x-permission'] && !operation['x-recipient-scope']);
    expect(others.length).toBeGreaterThan(80);
    const names = { org: tenant.org, username: ANN, prj: 'shop', app: 'web', evt: 'order-paid' };
    const ids = new Proxy<Record<string, string>>(names, { get: (all, name) => all[String(name)] ?? '1' });
    for (const [i, { method, path }] of others.entries()) {
      const body = BODIES[`${method} ${path}`]?.({ channel: 'inbox', list: 'Staff' });
      const { status } = await ask(tokens[i % tokens.length]!, fillPath(path, ids), { method, body });
      expect({ method, path, status }).toEqual({ method, path, status: 403 });
    }
    const token = await tokenOf();
    const elsewhere = await newTenant();
    const missing = await ask(token, userPath('inbox/', 'nobody@acme.test'));
    expect(missing).toMatchObject({ status: 404, body: { detail: 'There is no such user.' } });
    expect((await ask(token, userPath('inbox/', BOB))).body).toEqual(missing.body);
    const nowhere = await ask(token, userPath('inbox/', ANN, 'nowhere'));
    expect(nowhere).toMatchObject({ status: 404, body: { detail: 'There is no such organization.' } });
    expect((await ask(token, userPath('inbox/', ANN, elsewhere.org))).body).toEqual(nowhere.body);
  });

  it('is only read from Authorization: Bearer, and a key is none', async () => {
    const token = await tokenOf();
    const path = userPath('inbox/');
    for (const headers of [{ Authorization: `Key ${token}` }, { 'X-API-Key': token }] as Record<string, string>[])
      expect((await ask(null, path, { headers })).status).toBe(401);
    expect((await ask(null, `${path}?token=${token}`)).status).toBe(401);
    expect((await ask(tenant.key, path)).status).toBe(200);
    expect((await ask(token, userPath('inbox/', ANN.toUpperCase()))).status).toBe(200);
  });

  it('needs the permission token:create for the whole organization', async () => {
    const bound = await app.key({ org: tenant.org, project: 'shop' });
    expect((await app.as(bound).post(userPath('token/')).send({})).status).toBe(403);
    const without = await app.key({ org: tenant.org, permissions: ['user:read', 'user:write', 'apikey:write'] });
    expect((await app.as(without).post(userPath('token/')).send({})).status).toBe(403);
    const only = await app.key({ org: tenant.org, permissions: ['token:create'] });
    expect((await app.as(only).post(userPath('token/')).send({})).status).toBe(201);
  });

  it('is limited to 20 requests a second of its person', async () => {
    const [token, bob] = [await tokenOf(), await tokenOf(BOB)];
    const answers = await Clock.stopped(() =>
      Promise.all(Array.from({ length: 23 }, () => ask(token, userPath('inbox/?limit=1')))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(refused[0]!.headers.get('retry-after')).toBe('1');
    expect(refused[0]!.headers.get('ratelimit-policy')).toBe('"recipient";q=20;w=1');
    expect((await ask(bob, userPath('inbox/', BOB))).status).toBe(200);
  });
});

describe('a token that an organization signs itself', () => {
  it('works like the others, until its secret is revoked', async () => {
    const { id, kid, secret } = await newSecret();
    expect(secret).toMatch(/^crs_/);
    const token = signToken(claimsOf(), kid, secret);
    const ours = await tokenOf();
    const [reader, untouched] = [await open(token), await open(ours)];
    expect((await ask(token, userPath('inbox/'))).status).toBe(200);
    const list = await app.as(tenant.key).get(`/api/o/${tenant.org}/signing-secrets/`);
    expect(list.body).toMatchObject([{ id, kid, held_by: 'organization', revoked_at: null }, { held_by: 'service' }]);
    expect(JSON.stringify(list.body)).not.toContain('crs_');
    const revoked = await app.as(tenant.key).post(`/api/o/${tenant.org}/signing-secrets/${id}/revoke/`);
    expect(revoked).toMatchObject({ status: 200, body: { id, revoked_at: expect.any(String) } });
    expect((await ask(token, userPath('inbox/'))).status).toBe(401);
    await reader.untilEnd();
    await until(10_000, async () => (await ask(token, userPath('inbox/'), { url: other.url })).status === 401);
    expect(untouched.closed).toBe(false);
    const again = await app.as(tenant.key).post(`/api/o/${tenant.org}/signing-secrets/${id}/revoke/`);
    expect(again.body).toEqual(revoked.body);
  });

  it('of the service is replaced when it is revoked', async () => {
    const token = await tokenOf();
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/signing-secrets/`);
    const [held] = body as { id: number }[];
    await app.as(tenant.key).post(`/api/o/${tenant.org}/signing-secrets/${held!.id}/revoke/`);
    expect((await ask(token, userPath('inbox/'))).status).toBe(401);
    expect((await ask(await tokenOf(), userPath('inbox/'))).status).toBe(200);
  });

  it('is refused in one way, whatever is wrong with it', async () => {
    const { kid, secret } = await newSecret();
    const elsewhere = await newTenant();
    const foreign = await newSecret(elsewhere);
    const [header, payload, signature] = signToken(claimsOf(), kid, secret).split('.') as [string, string, string];
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hs512 = `${encoded({ alg: 'HS512', kid })}.${payload}`;
    const wrong = {
      tampered: [header, encoded({ ...claimsOf(), sub: BOB }), signature].join('.'),
      unsigned: `${encoded({ alg: 'none', kid })}.${payload}.`,
      'another algorithm': `${hs512}.${createHmac('sha512', secret).update(hs512).digest('base64url')}`,
      'unknown kid': signToken(claimsOf(), 'nobodys', secret),
      'no exp': signToken({ ...claimsOf(), exp: undefined as unknown as number }, kid, secret),
      'longer than a day': signToken({ ...claimsOf(), exp: claimsOf().iat + 86_401 }, kid, secret),
      'foreign secret, our organization': signToken(claimsOf(), foreign.kid, foreign.secret),
      'our secret, foreign organization': signToken(claimsOf(elsewhere.org), kid, secret),
      'no such person': signToken(claimsOf(tenant.org, 'gone@acme.test'), kid, secret),
    };
    for (const [name, token] of Object.entries(wrong)) {
      const answer = await ask(token, userPath('inbox/'));
      expect({ name, status: answer.status, body: answer.body }).toEqual({
        name,
        status: 401,
        body: {
          ...{ type: 'urn:carillon:problem:unauthorized', title: 'Unauthorized', status: 401 },
          detail: 'The recipient token is invalid or expired. Get a new one.',
        },
      });
    }
  });

  it('ends with its person: when they are locked, and when they are deleted', async () => {
    const tokens = await Promise.all([ANN, BOB].map((user) => tokenOf(user)));
    const [ann, bob] = tokens as [string, string];
    const streams = [await open(ann), await open(bob, { user: BOB })];
    await app.as(tenant.key).patch(`/api/o/${tenant.org}/u/${ANN}/`).send({ locked: true });
    await app.as(tenant.key).delete(`/api/o/${tenant.org}/u/${BOB}/`);
    for (const reader of streams) await reader.untilEnd();
    expect((await ask(bob, userPath('inbox/', BOB))).status).toBe(401);
    expect((await ask(ann, userPath('inbox/'))).status).toBe(401);
    expect(await app.as(tenant.key).post(userPath('token/')).send({})).toMatchObject({ status: 409 });
  });

  it('does not open the inbox of another user who gets the address later', async () => {
    const { kid, secret } = await newSecret();
    const early = { ...claimsOf(tenant.org, BOB), iat: claimsOf().iat - 120 };
    const tokens = [await tokenOf(BOB), signToken(early, kid, secret)];
    await app.pool.query(`update users set created_at = now() - interval '1 hour' where email = $1`, [BOB]);
    const statuses = () => Promise.all(tokens.map(async (token) => (await ask(token, userPath('inbox/', BOB))).status));
    expect(await statuses()).toEqual([200, 200]);
    await app.as(tenant.key).delete(`/api/o/${tenant.org}/u/${BOB}/`);
    await app.as(tenant.key).post(`/api/o/${tenant.org}/u/`).send({ email: BOB });
    expect(await statuses()).toEqual([401, 401]);
    expect((await ask(await tokenOf(BOB), userPath('inbox/', BOB))).status).toBe(200);
    expect((await ask(signToken(claimsOf(tenant.org, BOB), kid, secret), userPath('inbox/', BOB))).status).toBe(200);
  });
});

describe('the states of messages', () => {
  it('are seen, read and archived, with their counts in every list', async () => {
    const token = await tokenOf();
    const [a, b, c, d] = (await fillInbox(app.pool, ANN, 4, tenant.org)) as [number, number, number, number];
    const counts = async () => {
      const { headers } = await ask(token, userPath('inbox/?limit=1'));
      return [headers.get('x-unread-count'), headers.get('x-unseen-count')].map(Number);
    };
    expect(await counts()).toEqual([4, 4]);
    expect((await mark(token, { as: 'seen', up_to: c })).body).toEqual({ changed: 3, unread: 4, unseen: 1 });
    expect((await mark(token, { as: 'read', messages: [a, d, 2_000_000_000] })).body).toEqual({
      ...{ changed: 2, unread: 2, unseen: 0 },
    });
    expect((await mark(token, { as: 'read', messages: [a, d] })).body).toMatchObject({ changed: 0 });
    expect((await mark(token, { as: 'archived', messages: [b] })).body).toEqual({ changed: 1, unread: 1, unseen: 0 });
    expect(await listed(token)).toEqual([d, c, a]);
    expect(await listed(token, '?state=unread')).toEqual([c]);
    expect(await listed(token, '?state=unseen')).toEqual([]);
    expect(await listed(token, '?state=archived')).toEqual([b]);
    expect((await mark(token, { as: 'unread', up_to: d })).body).toEqual({ changed: 2, unread: 3, unseen: 0 });
    expect((await mark(token, { as: 'unarchived', up_to: d })).body).toEqual({ changed: 1, unread: 4, unseen: 0 });
    const read = await ask(token, userPath(`inbox/${a}/read/`), { method: 'POST' });
    expect(read.body).toMatchObject({
      id: a,
      seen_at: expect.any(String),
      read_at: expect.any(String),
      archived_at: null,
    });
    expect(await counts()).toEqual([3, 0]);
    expect((await mark(token, { as: 'archived', up_to: 2_147_483_647 })).body).toEqual({
      changed: 4,
      unread: 0,
      unseen: 0,
    });
    expect(await listed(token)).toEqual([]);
  });

  it('of many messages are counted up to 1,000, and changed in steps', async () => {
    const token = await tokenOf();
    const all = await fillInbox(app.pool, ANN, 2500, tenant.org);
    const { headers } = await ask(token, userPath('inbox/?limit=1'));
    expect(headers.get('x-unread-count')).toBe('1000');
    expect((await mark(token, { as: 'read', up_to: all[2399] })).body).toEqual({
      changed: 2400,
      unread: 100,
      unseen: 100,
    });
  });

  it('change for one person only, and refuse a body that says too much or too little', async () => {
    const token = await tokenOf();
    const [theirs] = await fillInbox(app.pool, BOB, 1, tenant.org);
    expect((await mark(token, { as: 'read', messages: [theirs] })).body).toMatchObject({ changed: 0 });
    const wrong = [
      { as: 'read' },
      { as: 'read', messages: [1], up_to: 1 },
      { as: 'gone', up_to: 1 },
      { as: 'read', messages: ['1'] },
    ];
    for (const body of wrong) expect(await mark(token, body)).toMatchObject({ status: 400 });
    expect((await ask(token, userPath('inbox/?state=all'))).status).toBe(400);
  });
});

describe('the stream of a recipient', () => {
  it('begins with the counts, and has them with every message and after every change, whichever process made it', async () => {
    const token = await tokenOf();
    const [bobs, reader] = [await open(await tokenOf(BOB), { user: BOB }), await open(token)];
    await until(10_000, () => reader.counts.length === 1);
    expect(reader.counts).toEqual([{ unread: 0, unseen: 0 }]);
    await tell(ANN, 1);
    const [event] = await reader.received(1);
    expect(event!.data).toMatchObject({ subject: 'Order 1', read_at: null, counts: { unread: 1, unseen: 1 } });
    const id = Number(event!.id);
    await mark(token, { as: 'seen', messages: [id] });
    await until(10_000, () => reader.counts.length === 2);
    await app.as(tenant.key).post(userPath(`inbox/${id}/read/`));
    await until(10_000, () => reader.counts.length === 3);
    // Another number is no news, but the list has changed.
    await mark(token, { as: 'archived', messages: [id] });
    await until(10_000, () => reader.counts.length === 4);
    expect(reader.counts.slice(1)).toEqual([
      { unread: 1, unseen: 0 },
      { unread: 0, unseen: 0 },
      { unread: 0, unseen: 0 },
    ]);
    expect(bobs.counts).toEqual([{ unread: 0, unseen: 0 }]);
  });

  it('says how the organization looks, if it has a brand or texts for the inbox', async () => {
    const settings = `/api/o/${tenant.org}/settings/`;
    const token = await tokenOf();
    const brandFor = async (change: object) => {
      expect((await app.as(tenant.key).patch(settings).send(change)).status).toBe(200);
      const reader = await open(token);
      await tell(ANN, 1);
      const isOver = () => reader.events.some(({ event }) => event === 'message');
      await until(10_000, isOver);
      return reader.events.filter(({ event }) => event !== 'message').map(({ event, data }) => [event, data]);
    };
    // Texts of pages are nothing to the inbox.
    expect(await brandFor({ page_texts: { de: { save: 'Sichern' } } })).toEqual([]);
    const page_texts = { de: { save: 'Sichern', inbox_read_all: 'Alles gelesen' }, fr: { save: 'Valider' } };
    const [texts] = await brandFor({ page_texts });
    const nothing = { accent: null, logo: null };
    expect(texts).toEqual([
      'brand',
      { name: expect.any(String), ...nothing, texts: { de: { readAll: 'Alles gelesen' } } },
    ]);
    const logo = { content: PIXEL };
    const { body } = await app.as(tenant.key).patch(settings).send({ logo });
    const brand = await brandFor({ page_texts: null, color: '#ffee00' });
    expect(brand).toEqual([
      [
        'brand',
        {
          ...{ name: expect.any(String), logo: (body as { logo: object }).logo, texts: {} },
          // Yellow cannot be read on white. On a dark background it can.
          accent: { light: expect.stringMatching(/^#[4-7]/), dark: '#ffee00' },
        },
      ],
    ]);
  });

  it('goes on after a drop without a gap or a duplicate', async () => {
    const token = await tokenOf();
    const first = await open(token);
    await until(10_000, () => first.lastEventId !== '');
    await tell(ANN, 1);
    await first.received(1);
    first.leave();
    for (const order of [2, 3]) await tenant.settled(await tell(ANN, order));
    const second = await open(token, { headers: { 'Last-Event-ID': first.lastEventId } });
    await second.received(2);
    await tell(ANN, 4);
    const events = [...first.events, ...(await second.received(3))];
    expect(events.map(({ data }) => (data as { subject: string }).subject)).toEqual(
      [1, 2, 3, 4].map((order) => `Order ${order}`),
    );
    expect(second.counts).toEqual([{ unread: 3, unseen: 3 }]);
  });

  it('ends when its token expires', async () => {
    const reader = await open(await tokenOf(ANN, { expires_in: 2 }));
    expect(reader.status).toBe(200);
    await reader.untilEnd();
  });

  it('is the eleventh of a person: refused with 429, while keys and others have theirs', async () => {
    const token = await tokenOf();
    for (let i = 0; i < 10; i++) expect((await open(token)).status).toBe(200);
    const eleventh = await open(token);
    expect([eleventh.status, eleventh.headers['retry-after']]).toEqual([429, '5']);
    expect((await open(await tokenOf(BOB), { user: BOB })).status).toBe(200);
    expect((await open(tenant.key)).status).toBe(200);
    readers[0]!.leave();
    await until(10_000, async () => (await open(token)).status === 200);
  });
});

describe('the origins of an organization', () => {
  const allow = (...origins: string[]) => app.as(tenant.key).patch(`/api/o/${tenant.org}/settings/`).send({ origins });
  const corsOf = ({ headers }: { headers: Headers }) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));
  const preflight = (path: string, origin: string) =>
    ask(null, path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization,last-event-id',
      },
    });

  it('are those whose pages may ask', async () => {
    expect((await allow(`${PAGE}/`, 'http://localhost:5173')).body).toMatchObject({
      origins: [PAGE, 'http://localhost:5173'],
    });
    const asked = await preflight(userPath('inbox/'), PAGE);
    expect([asked.status, corsOf(asked)]).toEqual([
      204,
      {
        vary: 'Origin',
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
        'access-control-allow-headers': 'Authorization, Content-Type, Last-Event-ID, X-Request-Id',
        'access-control-expose-headers': expect.stringContaining('X-Unread-Count'),
        'access-control-max-age': '600',
      },
    ]);
    const token = await tokenOf();
    const shared = {
      vary: 'Origin',
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers': expect.any(String),
    };
    const headers = { Origin: PAGE };
    expect(corsOf(await ask(token, userPath('inbox/'), { headers }))).toEqual(shared);
    // A page must be able to read why it was refused.
    const refused = [
      await ask('a.b.c', userPath('inbox/'), { headers }),
      await ask(token, userPath('inbox/?x=1'), { headers }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 400]);
    for (const answer of refused) expect(corsOf(answer)).toEqual(shared);
    const stream = await open(token, { url: app.url, headers });
    expect(stream.headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin' });
  });

  it('may be old by five seconds, and matter to pages only', async () => {
    await allow(PAGE);
    const path = userPath('inbox/');
    const isShared = async () => {
      const cors = corsOf(await ask(null, path, { headers: { Origin: PAGE } }));
      return cors['access-control-allow-origin'] === PAGE;
    };
    await Clock.stopped(async (clock) => {
      expect(await isShared()).toBe(true);
      await allow();
      clock.advance(4999);
      expect(await isShared()).toBe(true);
      clock.advance(2);
      expect(await isShared()).toBe(false);
    });
    expect(corsOf(await ask(null, path, { method: 'OPTIONS' }))).toEqual({ vary: 'Origin' });
  });

  it('say nothing to other pages, and as much about an organization without them as about none', async () => {
    const strange = await newTenant();
    await allow(PAGE);
    const paths = [userPath('inbox/'), userPath('inbox/', ANN, strange.org), userPath('inbox/', ANN, 'nowhere')];
    const origins = ['https://evil.test', 'null', `${PAGE}.evil.test`, `${PAGE}:8443`, 'http://app.acme.test'];
    for (const origin of origins) {
      for (const path of paths) {
        const asked = await preflight(path, origin);
        expect([asked.status, corsOf(asked)]).toEqual([204, { vary: 'Origin' }]);
        expect(corsOf(await ask(null, path, { headers: { Origin: origin } }))).toEqual({ vary: 'Origin' });
      }
    }
    expect(corsOf(await preflight(paths[1]!, PAGE))).toEqual({ vary: 'Origin' });
    expect(corsOf(await ask(tenant.key, userPath(''), { headers: { Origin: PAGE } }))).toEqual({});
    expect((await preflight(userPath(''), PAGE)).status).toBe(405);
  });

  it('are whole origins, and refused otherwise', async () => {
    const wrong = ['*', 'null', 'app.acme.test', `${PAGE}/inbox`, 'ftp://acme.test', 'https://*.acme.test', 7];
    for (const origin of wrong) expect(await allow(origin as string)).toMatchObject({ status: 400 });
    expect((await allow(...Array.from({ length: 51 }, (_, i) => `https://a${i}.test`))).status).toBe(400);
    const { body } = await app.as(tenant.key).patch(`/api/o/${tenant.org}/settings/`).send({ origins: null });
    expect(body).toMatchObject({ origins: [] });
  });
});

it('every operation that is open to recipients answers the question of a browser', async () => {
  const paths = new Set(operations.filter((each) => each['x-recipient-scope']).map(({ path }) => path));
  expect(paths.size).toBeGreaterThanOrEqual(5);
  const names = { org: tenant.org, username: ANN, message: '1' };
  for (const path of paths) {
    const answer = await ask(null, fillPath(path, names), { method: 'OPTIONS', headers: { Origin: PAGE } });
    expect({ path, status: answer.status }).toEqual({ path, status: 204 });
  }
  expect(operations.some((each) => each['x-recipient-scope'] && isStream(each))).toBe(true);
});
