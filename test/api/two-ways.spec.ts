import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACME_AND_GLOBEX } from '../support/acme.js';
import { TestApp } from '../support/app.js';
import { OPERATIONS, WRITES, allBut, pathOf } from '../support/operations.js';
import type { SpecifiedOperation } from '../support/operations.js';

// The table answers a path as it is written; in capitals it is Express that finds the route. Both must answer alike.
let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await TestApp.start();
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({ org: 'acme' });
});
afterAll(() => app.stop());

const TRIGGER = OPERATIONS.find(({ number }) => number === 15)!;
const PATH = pathOf(TRIGGER);
const byExpress = (path: string) => path.replace(/^\/api\//, '/API/');

const asByTable = (text: string) => text.replace('/API/', '/api/');

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask(path: string, { method = 'POST', headers = {}, body }: Sent) {
  const response = await fetch(app.url + path, { method, headers, body });
  const kept = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  const text = (await response.text()).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID');
  return { status: response.status, headers: kept.map(([name, value]) => [name, asByTable(value)]), text };
}

async function expectAlike(status: number, path: string, sent: Sent): Promise<void> {
  const answer = await ask(path, sent);
  expect(answer.status).toBe(status);
  expect(await ask(byExpress(path), sent)).toEqual(answer);
}

const json = (auth: string, more: Record<string, string> = {}) => ({
  authorization: `Key ${auth}`,
  'content-type': 'application/json',
  ...more,
});

const GETS = OPERATIONS.filter(({ method }) => method === 'get');

describe('both ways answer alike', () => {
  it.each(GETS)('$method $path', async (operation) => {
    await expectAlike(200, pathOf(operation), { method: 'GET', headers: json(key) });
    await expectAlike(200, `${pathOf(operation)}?limit=1`, { method: 'GET', headers: json(key) });
  });

  it.each(OPERATIONS)(
    '$method $path refused: no key, no permission, nothing there',
    async (operation: SpecifiedOperation) => {
      const method = operation.method.toUpperCase();
      const weak = await app.key({ org: 'acme', permissions: allBut(operation.permission) });
      await expectAlike(401, pathOf(operation), { method });
      await expectAlike(403, pathOf(operation), { method, headers: json(weak) });
      if (operation.path.includes('{org}'))
        await expectAlike(404, pathOf(operation, { org: 'nowhere' }), { method, headers: json(key) });
    },
  );

  it.each(WRITES)('$method $path refused: its body', async (operation) => {
    const method = operation.method.toUpperCase();
    const path = pathOf(operation);
    await expectAlike(400, path, { method, headers: json(key), body: '{"broken' });
    await expectAlike(415, path, { method, headers: { ...json(key), 'content-type': 'text/plain' }, body: '{}' });
    await expectAlike(415, path, { method, headers: json(key, { 'content-encoding': 'zip' }), body: '{}' });
    await expectAlike(413, path, { method, headers: json(key), body: `"${'x'.repeat(2561 * 1024)}"` });
  });

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
    await expectAlike(404, '/api/nowhere/', { method: 'GET', headers: json(key) });
    await expectAlike(404, PATH, { method: 'GET', headers: json(key) });
    await expectAlike(404, PATH, { method: 'DELETE', headers: json(key) });
  });

  it('with these headers and no other', async () => {
    const { headers } = await ask('/api/system/ping/', { method: 'GET', headers: json(key) });
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String('{"token":"test"}'.length),
      'x-content-type-options': 'nosniff',
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    });
  });

  it('a question for headers only', async () => {
    await expectAlike(200, '/api/system/ping/', { method: 'HEAD', headers: json(key) });
  });
});
