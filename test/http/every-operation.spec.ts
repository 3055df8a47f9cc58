import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { contract } from '../support/contract/contract.js';
import { ACME_NAMES, EVERY_OPERATION, fillPath } from '../support/contract/operations.js';

let app: TestApp;
let key: string;
/** Reaches operations of the whole service too. */
let operator: string;
let occurrence: string;
useAcme(async (acme) => {
  ({ app, key } = acme);
  operator = await app.key();
  const trigger = await app.as(key).post('/api/o/acme/p/shop/a/web/e/order-paid/trigger/').send({});
  occurrence = (trigger.body as { occurrence: string }).occurrence;
});

/** Those that the service looks for only after it has checked query and body need not exist. */
const NAMES = {
  ...ACME_NAMES,
  ...{ notification: '1', message: '1', member: '1', secret: '1' },
  ...{ key: '1', session: '1', suppression: '1', delivery: '1', revision: '1', version: '1' },
  upload: '00000000-0000-4000-8000-000000000000',
};
const urlOf = (path: string) => fillPath(path, { ...NAMES, occurrence });

it('knows a value for every name in a path', () => {
  expect(EVERY_OPERATION.map(({ path }) => urlOf(path)).filter((path) => path.includes('undefined'))).toEqual([]);
});

const codesOf = ({ body }: { body: unknown }) => (body as { codes?: Record<string, string[]> }).codes;

it.each(EVERY_OPERATION)('$method $path refuses a query parameter that it does not know', async (operation) => {
  const answer = await app.as(operator)[operation.method](`${urlOf(operation.path)}?no_such_parameter=1`);
  expect([answer.status, codesOf(answer)]).toEqual([400, { no_such_parameter: ['unknown_field'] }]);
});

const WRITES = EVERY_OPERATION.filter(
  ({ method, body }) => !['get', 'delete'].includes(method) && !Array.isArray(body) && typeof body !== 'string',
);

it.each(WRITES)('$method $path refuses a field that it does not know', async ({ method, path, body }) => {
  const answer = await app
    .as(operator)
    [method](urlOf(path))
    .send({ ...(body as object), no_such_field: 1 });
  expect([answer.status, codesOf(answer)]).toEqual([400, { no_such_field: ['unknown_field'] }]);
});

it.each(WRITES)('$method $path gives each error of a field a code', async ({ method, path, body }) => {
  for (const wrong of [null, 7, '', [], '\u0000']) {
    const fields = Object.keys(body ?? {});
    if (fields.length === 0) return;
    const answer = await app
      .as(operator)
      [method](urlOf(path))
      .send(Object.fromEntries(fields.map((field) => [field, wrong])));
    const { errors } = answer.body as { errors?: object };
    if (answer.status === 400) expect(Object.keys(codesOf(answer) ?? {})).toEqual(Object.keys(errors ?? {}));
  }
});

it('reads an empty object as no body', async () => {
  const path = '/api/o/acme/u/ann@acme.test/inbox/1/read/';
  expect((await app.as(key).post(path).send({})).status).toBe(404);
  expect((await app.as(key).post(path).send([])).status).toBe(400);
});

describe('the schemes of the contract', () => {
  interface Scheme {
    type: string;
    in?: string;
    name?: string;
    scheme?: string;
  }
  const schemes = contract.components.securitySchemes as Record<string, Scheme>;
  const SESSION = { 'Sec-Fetch-Site': 'same-origin' };
  const ping = (headers: Record<string, string>) => fetch(`${app.url}/api/system/ping/`, { headers });

  /** A request that presents the secret as the scheme says. */
  const headersOf = ({ type, in: place, name }: Scheme, secret: string): Record<string, string> => {
    if (type === 'http') return { Authorization: `Bearer ${secret}` };
    if (place === 'cookie') return { Cookie: `${name}=${secret}`, ...SESSION };
    return { [name!]: name === 'Authorization' ? `Key ${secret}` : secret };
  };

  it.each(['ApiKeyAuthentication', 'AuthorizationKey', 'BearerKey'])('%s opens an operation', async (name) => {
    expect((await ping(headersOf(schemes[name]!, key))).status).toBe(200);
  });

  it('SessionCookieWithoutTls opens an operation, and SessionCookie is its name with TLS', async () => {
    const { SessionCookie: withTls, SessionCookieWithoutTls: plain } = schemes;
    const answer = await app.as().post('/api/session/').set(SESSION).send({ key });
    const [cookie] = answer.headers['set-cookie'] as unknown as [string];
    const [, name, secret] = /^(.+?)=(.+?);/.exec(cookie)!;
    expect([plain!.name, withTls!.name]).toEqual([name, `__Host-${name}`]);
    expect((await ping(headersOf(plain!, secret!))).status).toBe(200);
  });
});

it('OPTIONS of a path that is open to recipients names its methods', async () => {
  const inbox = await app.as().options('/api/o/acme/u/ann@acme.test/inbox/');
  expect([inbox.status, inbox.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  const preferences = await app.as().options('/api/o/acme/u/ann@acme.test/preferences/');
  expect(preferences.headers.allow).toBe('GET, HEAD, PATCH, OPTIONS');
});

it('leaves no job of a deleted organization behind', async () => {
  const as = app.as(operator);
  const create = async (path: string, body: object) => expect((await as.post(path).send(body)).status).toBe(201);
  await create('/api/o/', { slug: 'gone', name: 'Gone' });
  await create('/api/o/gone/p/', { slug: 'p', name: 'P' });
  await create('/api/o/gone/p/p/a/', { slug: 'a', name: 'A' });
  await create('/api/o/gone/p/p/a/a/e/', { slug: 'e', name: 'E' });
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const trigger = await as.post('/api/o/gone/p/p/a/a/e/e/trigger/').send({ options: { send_at: sendAt } });
  const { occurrence: id } = trigger.body as { occurrence: string };
  expect((await as.post(`/api/o/gone/occurrences/${id}/cancel/`)).status).toBe(200);
  const waiting = `select 1 from jobs where state = 'scheduled'`;
  expect((await app.pool.query(waiting)).rowCount).toBe(1);
  for (const path of ['p/p/a/a/e/e/', 'p/p/a/a/', 'p/p/', ''])
    expect([path, (await as.delete(`/api/o/gone/${path}`)).status]).toEqual([path, 204]);
  expect((await app.pool.query(waiting)).rowCount).toBe(0);
});
