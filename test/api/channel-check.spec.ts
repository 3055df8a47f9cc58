import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useApp, useSink } from '../support/app/use.js';
import { createFolder } from '../support/folder.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

const folder = createFolder();
afterAll(() => folder.remove());
const providers = join(folder.path, 'providers');
mkdirSync(providers);

/** A provider that only this operator has. */
const BEACON = `
type: beacon
label: Beacon
documentation: https://beacon.example/docs
parts: [text]
address: phone
settings:
  url: { label: Server, kind: url, required: true, example: https://beacon.example }
  token: { label: Token, secret: true, required: true, example: bt_0123456789abcdef }
  route: { label: Route, choices: [fast, cheap], help: How it goes }
auth: { bearer: '{{ settings.token }}' }
request: { url: '{{ settings.url }}/send', json: { to: '{{ message.to }}', text: '{{ message.text }}' } }
outcomes:
  - { when: 'status == \`202\`', then: sent }
test:
  documentation: https://beacon.example/docs/account
  request: { method: GET, url: '{{ settings.url }}/account' }
  ok: body.active
  examples:
    - name: active
      request: { method: GET, url: https://beacon.example/account }
      answer: { status: 200, body: { active: true } }
      expect: { ok: true }
    - { name: wrong token, answer: { status: 401, text: '' }, expect: { ok: false, fault: channel } }
examples:
  - name: accepted
    request: { json: { to: '+15005550006', text: Order A-17 is paid. } }
    answer: { status: 202, text: '' }
    expect: { kind: sent }
`;
writeFileSync(join(providers, 'beacon.yaml'), BEACON);

let app: TestApp;
let key: string;
let server: HttpSink;
useApp({ PROVIDERS_DIR: providers, ROLE: 'all' }, async (started) => {
  app = started;
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({ org: 'acme' });
});
useSink(
  () => HttpSink.start(),
  (started) => (server = started),
);
beforeEach(() => app.pool.query(`delete from channels where type in ('ntfy', 'beacon', 'mailgun')`));

const CHANNELS = '/api/o/acme/c/';
const TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2';

async function create(slug = 'push', config: object = {}, type = 'ntfy') {
  const body = { slug, name: slug, type, config: { url: server.url(''), token: TOKEN, ...config } };
  expect((await app.as(key).post(CHANNELS).send(body)).status).toBe(201);
}

const check = (slug = 'push', as = key) => app.as(as).post(`${CHANNELS}${slug}/check/`);
const doctor = (env = {}) => cli(['doctor'], { DATABASE_URL: app.databaseUrl, PROVIDERS_DIR: providers, ...env });

it('asks the provider for the account, sends no message, and shows what the file shows of the answer', async () => {
  server.reply = () => ({ status: 200, body: '{"username":"carillon","role":"user","token":"tk_another"}' });
  await create();
  const { status, body } = await check();
  expect([status, body]).toEqual([
    200,
    {
      ...{ ok: true, fault: null, answer: '200 {"username":"carillon","role":"user"}' },
      ...{ templates: [], duration_ms: expect.any(Number) },
    },
  ]);
  expect(server.requests).toMatchObject([
    { method: 'GET', path: '/v1/account', headers: { authorization: `Bearer ${TOKEN}` }, body: '' },
  ]);
});

it.each([
  ['a wrong token', 401, 'channel'],
  ['a server of another kind', 404, 'channel'],
  ['a login page', 200, 'channel'],
  ['a redirect', 302, 'channel'],
  ['too many requests', 429, 'provider'],
  ['a broken provider', 503, 'provider'],
])('says whose fault %s is, without the secret', async (_, status, fault) => {
  server.reply = () => ({ status, body: `no access with ${TOKEN}`, headers: { location: '/login' } });
  await create();
  const { body } = await check();
  expect(body).toMatchObject({ ok: false, fault, answer: expect.stringContaining(String(status)) });
  expect(JSON.stringify(body)).not.toContain(TOKEN);
});

it('knows nothing about settings of a provider that does not answer', async () => {
  await create('gone', { url: 'http://127.0.0.1:9' });
  expect((await check('gone')).body).toMatchObject({ ok: false, fault: 'provider' });
  server.reply = () => 'reset';
  await create();
  expect((await check()).body).toMatchObject({ ok: false, fault: 'provider' });
});

it('refuses what the guard of outgoing requests refuses', async () => {
  await create('inside', { url: 'http://10.1.2.3' });
  expect((await check('inside')).body).toMatchObject({
    ok: false,
    fault: 'channel',
    answer: expect.stringContaining('10.1.2.3 is not allowed'),
  });
});

it('has nothing to check where the provider has no such call', async () => {
  await app.as(key).post(CHANNELS).send({ slug: 'lines', name: 'Lines', type: 'log' });
  const { status, body } = await check('lines');
  expect([status, (body as { detail: string }).detail]).toEqual([409, expect.stringContaining('nothing to check')]);
  expect(server.requests).toEqual([]);
});

it('says so if the secrets can no longer be decrypted', async () => {
  await create();
  await app.pool.query(
    `update channels set config = jsonb_set(config, '{token}', '{"sealed": "x"}') where slug = 'push'`,
  );
  const { status, body } = await check();
  expect([status, (body as { detail: string }).detail]).toEqual([409, expect.stringContaining('decrypted')]);
});

it('lets an organization have two checks under way, and others are not affected', async () => {
  await create();
  const hold = server.holdAfter(0);
  const checks = [check(), check(), check()].map(async (request) => (await request).status);
  expect(await Promise.any(checks)).toBe(429);
  const globex = await app.key({ org: 'globex' });
  const theirs = { slug: 'push', name: 'Push', type: 'ntfy', config: { url: 'http://127.0.0.1:9' } };
  await app.as(globex).post('/api/o/globex/c/').send(theirs);
  expect((await app.as(globex).post('/api/o/globex/c/push/check/')).status).toBe(200);
  hold.goOn();
  expect((await Promise.all(checks)).sort((a, b) => a - b)).toEqual([200, 200, 429]);
});

it('is for those who may test a channel', async () => {
  await create();
  const reader = await app.key({ org: 'acme', permissions: ['organization:read'] });
  expect((await check('push', reader)).status).toBe(403);
  const globex = await app.key({ org: 'globex' });
  expect((await check('push', globex)).status).toBe(404);
  const shop = await app.key({ org: 'acme', project: 'shop' });
  expect((await check('push', shop)).status).toBe(403);
  server.reply = () => ({ status: 200, body: '{"username":"carillon","role":"user","token":"tk_another"}' });
  const body = { slug: 'mine', name: 'Mine', type: 'ntfy', config: { url: server.url('') } };
  expect((await app.as(shop).post('/api/o/acme/p/shop/c/').send(body)).status).toBe(201);
  expect((await app.as(shop).post('/api/o/acme/p/shop/c/mine/check/')).body).toMatchObject({ ok: true });
});

it('is a command, whose exit code is 2 if the settings are not accepted', async () => {
  await create();
  const env = { CARILLON_URL: app.url, CARILLON_KEY: key };
  server.reply = () => ({ status: 200, body: '{"username":"carillon","role":"user","token":"tk_another"}' });
  const good = await cli(['channel', 'check', 'acme/push'], env);
  expect([good.code, good.stdout]).toEqual([
    0,
    expect.stringMatching(/^ok after \d+ ms: 200 \{"username":"carillon","role":"user"\}\n$/),
  ]);
  server.reply = () => ({ status: 401, body: 'unauthorized' });
  const bad = await cli(['channel', 'check', 'acme/push'], env);
  expect([bad.code, bad.stdout]).toEqual([2, expect.stringMatching(/^wrong after \d+ ms: 401 unauthorized\n$/)]);
});

describe('doctor', () => {
  it('checks the channels that are on, names those that are refused, and is well all the same', async () => {
    expect((await doctor()).stdout).not.toMatch(/^ok +channels /m);
    server.reply = ({ headers }) =>
      headers.authorization === `Bearer ${TOKEN}`
        ? { status: 200, body: '{"username":"carillon","role":"user","token":"tk_another"}' }
        : { status: 401, body: `${headers.authorization ?? ''}\nunauthorized` };
    await create('good');
    expect((await doctor()).stdout).toMatch(/ok +channels +the provider accepts the settings of 1 of 1 channel\n/);
    await create('bad', { token: 'tk_of_somebody_else' });
    await create('gone', { url: 'http://127.0.0.1:9' });
    await create('off');
    await app.as(key).patch(`${CHANNELS}off/`).send({ enabled: false });
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toMatch(/ok +channels +the provider accepts the settings of 1 of 3 channels; /);
    expect(stdout).toContain('acme/bad wrong (401 Bearer *** unauthorized), acme/gone not known (');
    expect(stdout).not.toContain('tk_of_somebody_else');
  });

  it('does not check what a provider may charge for', async () => {
    const config = { api_key: 'key', domain: 'mg.acme.test', host: 'api.mailgun.net', from: 'a@acme.test' };
    const body = { slug: 'gun', name: 'Gun', type: 'mailgun', config };
    expect((await app.as(key).post(CHANNELS).send(body)).status).toBe(201);
    expect((await doctor()).stdout).not.toMatch(/^ok +channels /m);
  });
});

describe("the operator's provider file", () => {
  it('makes the form, the check and the part of doctor', async () => {
    const { body } = await app.as(key).get('/api/dispatchers/');
    const types = body as { type: string; settings_check: string | null; fields: { key: string }[] }[];
    const beacon = types.find(({ type }) => type === 'beacon')!;
    expect(beacon).toMatchObject({ label: 'Beacon', settings_check: 'free' });
    expect(beacon.fields).toMatchObject([
      { key: 'url', kind: 'url', required: true },
      { key: 'token', secret: true, goes_to: ['url'] },
      { key: 'route', kind: 'choice', choices: ['fast', 'cheap'], help: 'How it goes' },
      { key: 'rate' },
      { key: 'fallback_after' },
    ]);
    expect(types.filter((each) => each.settings_check === 'free').length).toBeGreaterThan(10);
    expect(types.find(({ type }) => type === 'log')).toMatchObject({ settings_check: null });
    expect(types.find(({ type }) => type === 'mailgun')).toMatchObject({ settings_check: 'charged' });
    server.reply = () => ({ status: 200, body: '{"active":true}' });
    await create('sms', { token: 'bt_1' }, 'beacon');
    expect((await check('sms')).body).toMatchObject({ ok: true });
    expect(server.requests).toMatchObject([{ path: '/account', headers: { authorization: 'Bearer bt_1' } }]);
    expect((await doctor()).stdout).toMatch(/ok +channels +the provider accepts the settings of 1 of 1 channel\n/);
  });

  it('is in the JSON Schema of configuration files, as every other type', async () => {
    const { body } = await app.as().get('/api/provisioning.schema.json');
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const validate = ajv.compile(body as object);
    const problemsOf = (type: string, config: object) => {
      const channels = [{ slug: 'sms', name: 'SMS', type, config }];
      validate({ organizations: [{ slug: 'acme', name: 'Acme', channels }] });
      const own = (validate.errors ?? []).filter(({ keyword }) => !['anyOf', 'if', 'type'].includes(keyword));
      return own.map(
        ({ instancePath, params }) => `${instancePath.split('/').slice(5).join('/')} ${JSON.stringify(params)}`,
      );
    };
    const good = { url: 'https://beacon.example', token: { env: 'TOKEN' }, route: 'fast', rate: 5 };
    expect(problemsOf('beacon', good)).toEqual([]);
    expect(problemsOf('beacon', { ...good, speed: 1 })).toEqual([expect.stringContaining('speed')]);
    expect(problemsOf('beacon', { url: good.url })).toEqual([expect.stringContaining('token')]);
    expect(problemsOf('beacon', { ...good, route: 'slow' })).toContainEqual(expect.stringContaining('fast'));
    expect(problemsOf('webhook', { url: 'https://hook.example' })).toEqual([]);
    expect(problemsOf('webhook', {})).toEqual([expect.stringContaining('url')]);
  });
});
