import { describe, expect, it, jest } from '@jest/globals';
import { PERMISSIONS } from '../../src/auth/permission.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { isStream, operations, pathNames } from '../support/contract/contract.js';
import type { Operation } from '../support/contract/contract.js';
import { fillPath } from '../support/contract/operations.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { createThingsOfAcme } from '../support/world/acme-things.js';
import { addDraft } from '../support/world/draft.js';

// The table finds a path as it is written; a path in capitals is left to Express. Both must answer alike, for every operation.
let app: TestApp;
let key: string;
let operator: string;
let express: ReturnType<typeof jest.spyOn>;

/** What the names in paths stand for. */
let NAMES: Record<string, string>;
const NOWHERE: Record<string, string> = {
  ...{ occurrence: '00000000-0000-7000-8000-000000000000', pk: '2147483647', message: '2147483647', key: '2147483647' },
  session: '2147483647',
  ...{ notification: '2147483647', member: '2147483647', delivery: '999999999999999' },
};

useAcme(async (acme) => {
  ({ app, key } = acme);
  NAMES = { ...(await createThingsOfAcme(app)), draft: await addDraft(app.pool, 'acme') };
  operator = await app.key();
  express = jest.spyOn(app.app.getHttpAdapter().getInstance() as unknown as { handle: () => void }, 'handle');
});

const PATH = '/api/o/acme/p/shop/a/web/e/order-paid/trigger/';

const pathOf = ({ path }: Operation, names: Record<string, string> = {}) => fillPath(path, { ...NAMES, ...names });

const byExpress = (path: string) => path.replace(/^\/(api|health)\//, (word) => word.toUpperCase());

const asByTable = (text: string) => text.replace('/API/', '/api/');

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Answer {
  status: number;
  headers: [string, string][];
  text: string;
}

function keep(headers: Iterable<[string, string]>): [string, string][] {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return kept.map(([name, value]) => [name, asByTable(value)]);
}

async function ask(path: string, { method = 'POST', headers = {}, body }: Sent): Promise<Answer> {
  const response = await fetch(app.url + path, { method, headers, body });
  const text = (await response.text()).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID');
  return { status: response.status, headers: keep(response.headers), text };
}

/** The start of a stream, which goes on: its reader leaves once the headers are there. */
async function askForStream(path: string, { headers }: Sent): Promise<Answer> {
  const reader = await EventReader.open(app.url + path, headers);
  reader.leave();
  return { status: reader.status, headers: keep(Object.entries(reader.headers) as [string, string][]), text: '' };
}

/** Asks the table, then Express. */
async function expectAlike(status: number, path: string, sent: Sent, asking = ask): Promise<void> {
  express.mockClear();
  const answer = await asking(path, sent);
  expect({ path, status: answer.status, byExpress: express.mock.calls.length }).toEqual({ path, status, byExpress: 0 });
  expect(await asking(byExpress(path), sent)).toEqual(answer);
  expect(express).toHaveBeenCalledTimes(1);
}

/** Asks for what the table does not know: Express answers both. */
async function expectAlikeByExpress(status: number, path: string, sent: Sent): Promise<void> {
  const answer = await ask(path, sent);
  expect(answer.status).toBe(status);
  expect(await ask(byExpress(path), sent)).toEqual(answer);
}

const json = (auth: string, more: Record<string, string> = {}) => ({
  authorization: `Key ${auth}`,
  'content-type': 'application/json',
  ...more,
});

/** A key that may call the operation. */
const keyFor = (operation: Operation) => (operation['x-reach'] === 'service' ? operator : key);

const GETS = operations.filter(({ method }) => method === 'GET');
const CLOSED = operations.filter((operation) => operation['x-permission']);
const WITH_BODY = operations.filter(({ requestBody }) => 'application/json' in (requestBody?.content ?? {}));

/** A PUT creates what is not there, if its name may be one; the body is empty. The uses of a layout can be listed before it is there. */
function statusOfNobody({ method, path }: Operation, name: string): number {
  if (method === 'PUT' && ['email', 'memberEmail', 'layout', 'partial', 'bundle', 'device', 'draft'].includes(name))
    return 400;
  return path.endsWith('/uses/') && ['layout', 'partial'].includes(name) ? 200 : 404;
}

describe('both ways answer alike', () => {
  it.each(GETS)('$method $path', async (operation) => {
    const sent = { method: 'GET', headers: json(key) };
    if (isStream(operation)) return expectAlike(200, pathOf(operation), sent, askForStream);
    await expectAlike(200, pathOf(operation), sent);
    const isList = operation.parameters?.some((parameter) => 'name' in parameter && parameter.name === 'limit');
    const status = isList ? 200 : 400;
    await expectAlike(status, `${pathOf(operation)}?limit=1`, sent);
  });

  it.each(CLOSED)('$method $path refused: no key, no permission, nothing there', async (operation) => {
    const { method } = operation;
    const org = operation['x-reach'] === 'service' ? undefined : 'acme';
    const others = PERMISSIONS.filter((permission) => permission !== operation['x-permission']);
    const weak = await app.key({ org, permissions: others });
    await expectAlike(401, pathOf(operation), { method });
    await expectAlike(403, pathOf(operation), { method, headers: json(weak) });
    for (const name of pathNames(operation.path)) {
      const path = pathOf(operation, { [name]: NOWHERE[name] ?? 'nowhere' });
      await expectAlike(statusOfNobody(operation, name), path, { method, headers: json(keyFor(operation)) });
    }
  });

  it.each(WITH_BODY)('$method $path refused: its body', async (operation) => {
    const { method } = operation;
    const path = pathOf(operation);
    const auth = keyFor(operation);
    await expectAlike(400, path, { method, headers: json(auth), body: '{"broken' });
    await expectAlike(415, path, { method, headers: { ...json(auth), 'content-type': 'text/plain' }, body: '{}' });
    await expectAlike(415, path, { method, headers: json(auth, { 'content-encoding': 'zip' }), body: '{}' });
    await expectAlike(413, path, { method, headers: json(auth), body: `"${'x'.repeat(4097 * 1024)}"` });
  });

  it('a simulation and a preview, which change nothing', async () => {
    const simulation = { headers: json(key), body: '{"context":{"order":1},"at":"2030-01-01T00:00:00Z"}' };
    await expectAlike(200, PATH.replace('trigger', 'simulate'), simulation);
    await expectAlike(200, PATH.replace('trigger', 'preview'), {
      headers: json(key),
      body: '{"text":"Hi","channel":"mail"}',
    });
  });

  it.each([
    '/api/openapi.yaml',
    '/api/openapi.json',
    '/api/provisioning.schema.json',
    '/api/docs/',
    '/api/docs/swagger-ui-init.js',
  ])('GET %s, which is not in the contract', async (path) => expectAlike(200, path, { method: 'GET' }));

  it('a trigger, its replay and its conflict', async () => {
    const replay = json(key, { 'idempotency-key': 'two-ways' });
    await expectAlike(201, PATH, { headers: json(key), body: '{"context":{"order":1}}' });
    await expectAlike(201, PATH, { headers: json(key) });
    await ask(PATH, { headers: replay, body: '{"context":{"order":1}}' });
    await expectAlike(201, PATH, { headers: replay, body: '{"context":{"order":1}}' });
    await expectAlike(409, PATH, { headers: replay, body: '{"context":{"order":2}}' });
    await expectAlike(400, PATH, { headers: json(key), body: '{"options":{"nope":1}}' });
  });

  it('a path that is nowhere, also by its method', async () => {
    await expectAlikeByExpress(404, '/api/nowhere/', { method: 'GET', headers: json(key) });
    await expectAlikeByExpress(405, PATH, { method: 'GET', headers: json(key) });
    await expectAlikeByExpress(405, PATH, { method: 'DELETE', headers: json(key) });
  });

  it('with these headers and no other', async () => {
    const { headers } = await ask('/api/system/ping/', { method: 'GET', headers: json(key) });
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String('{"token":"test"}'.length),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
      connection: 'keep-alive',
      'keep-alive': 'timeout=75',
    });
  });

  it('a question for headers only', async () => {
    await expectAlikeByExpress(200, '/api/system/ping/', { method: 'HEAD', headers: json(key) });
  });
});
