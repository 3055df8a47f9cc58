import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { readContract } from './check/contract.mjs';
import { brokenInvariants } from './check/invariants.mjs';
import { Memory, growthProblem } from './memory.mjs';
import { Client } from './play/client.mjs';
import { rawProblem } from './play/raw.mjs';
import { playSequence } from './play/sequences.mjs';
import { Session } from './play/session.mjs';
import { Results } from './results.mjs';

const PROBLEM = { type: 'object', required: ['status'], properties: { status: { type: 'integer' } } };
const operations = readContract({
  paths: {
    '/things/': {
      post: {
        operationId: 'createThing',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', additionalProperties: false, properties: { a: { type: 'string' }, b: {} } },
            },
          },
        },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          400: { content: { 'application/problem+json': { schema: PROBLEM } } },
          429: { content: { 'application/problem+json': { schema: PROBLEM } } },
        },
      },
    },
  },
  components: {
    schemas: { Thing: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
  },
});
const operation = operations[0]!;

/** A service that misbehaves as told. */
type Behaviour = (request: IncomingMessage, response: ServerResponse, body: string) => void;
let behave: Behaviour;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => behave(request, response, body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const answer = (response: ServerResponse, status: number, value: unknown, type = 'application/json') => {
  response.writeHead(status, { 'content-type': type, 'x-request-id': '1' }).end(JSON.stringify(value));
};

let results: Results;
beforeEach(() => {
  results = new Results();
});

async function send(body: unknown, path = '/things/') {
  const client = new Client([url], { deadlineMs: 300 });
  const session = new Session(client, new Map([[operation.id, operation]]), results);
  const query = Object.fromEntries(new URL(path, url).searchParams);
  const headers = { 'content-type': 'application/json' };
  await session.send(operation, { method: 'POST', path, query, headers, body: JSON.stringify(body) });
  await client.close();
  return [...results.findings.values()];
}

/** Without arguments the body is a good one; `undefined` is no body. */
const kinds = async (...args: [] | [body: unknown, path?: string]) => {
  const [body, path] = args.length === 0 ? [{ a: 'x' }] : args;
  return (await send(body, path)).map(({ kind }) => kind);
};

describe('an answer', () => {
  it('as the contract says it is no finding', async () => {
    behave = (_request, response) => answer(response, 200, { id: 1 });
    expect(await kinds()).toEqual([]);
    behave = (_request, response) => answer(response, 400, { status: 400 }, 'application/problem+json');
    expect(await kinds({ unknown: 1 })).toEqual([]);
  });

  it.each<[string, string, Behaviour]>([
    ['5xx', 'a 5xx', (_request, response) => answer(response, 500, { status: 500 }, 'application/problem+json')],
    ['status', 'an undocumented status', (_request, response) => answer(response, 418, {})],
    ['schema', 'a field of the wrong type', (_request, response) => answer(response, 200, { id: '1' })],
    ['schema', 'a missing field', (_request, response) => answer(response, 200, {})],
    ['schema', 'a field that is not documented', (_request, response) => answer(response, 200, { id: 1, more: 1 })],
    ['schema', 'another content type', (_request, response) => answer(response, 200, { id: 1 }, 'text/html')],
    [
      'schema',
      'a problem of another status',
      (_request, response) => answer(response, 400, { status: 404 }, 'application/problem+json'),
    ],
    [
      'schema',
      'a 429 without Retry-After',
      (_request, response) => answer(response, 429, { status: 429 }, 'application/problem+json'),
    ],
    [
      'schema',
      'no request id',
      (_request, response) => response.setHeader('content-type', 'application/json').end('{"id":1}'),
    ],
    [
      'schema',
      'no JSON',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': '1' }).end('{'),
    ],
    ['hang', 'none in time', () => undefined],
    [
      'hang',
      'half of an answer',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': '1' }).write('{'),
    ],
    ['lost', 'a closed connection', (_request, response) => response.destroy()],
  ])('is a finding of the kind %s: %s', async (kind, _what, behaviour) => {
    behave = behaviour;
    expect(await kinds()).toEqual([kind]);
  });

  it('of 503 is a finding, unless Retry-After helps', async () => {
    let left = 2;
    behave = (_request, response) => {
      if (left-- <= 0) return answer(response, 200, { id: 1 });
      response.setHeader('retry-after', '0');
      answer(response, 503, { status: 503 }, 'application/problem+json');
    };
    expect([await kinds(), results.busy]).toEqual([[], 2]);
    left = 100;
    expect(await kinds()).toEqual(['5xx']);
  });

  it.each<[string, unknown, string]>([
    ['a body with an unknown field', { unknown: 1 }, '/things/'],
    ['a body of another type', [1], '/things/'],
    ['no body', undefined, '/things/'],
    ['a query parameter out of bounds', { a: 'x' }, '/things/?limit=0'],
    ['a query parameter of another type', { a: 'x' }, '/things/?limit=x'],
  ])('is a finding if the contract refuses the request: %s', async (_what, body, path) => {
    behave = (_request, response) => answer(response, 200, { id: 1 });
    expect(await kinds(body, path)).toEqual(['accepted']);
  });

  it('is reported with the shortest request that shows the same', async () => {
    behave = (_request, response, body) => answer(response, body.includes('bad') ? 500 : 200, { id: 1 });
    const [finding] = await send({ a: 'long text with bad in it', b: [1, 2, { c: 3 }] }, '/things/?limit=7');
    expect(finding?.request).toMatchObject({ path: '/things/' });
    expect(finding?.request.body.length).toBeLessThan('{"a":"bad....."}'.length);
    expect(finding?.request.body).toContain('bad');
  });
});

describe('bytes on a socket', () => {
  const answering = async (text: string) => {
    const raw = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      if (text) socket.end(text);
    }).listen(0, '127.0.0.1');
    await once(raw, 'listening');
    const problem = await rawProblem(
      `http://127.0.0.1:${(raw.address() as AddressInfo).port}`,
      [Buffer.from('x')],
      300,
    );
    raw.close();
    return problem;
  };

  it('are a finding if the service answers without a problem, with a 5xx, or not at all', async () => {
    expect(await answering('HTTP/1.1 400 Bad Request\r\n\r\n')).toMatch(/^400 without a problem/);
    expect(await answering('HTTP/1.1 500 No\r\n\r\n')).toMatch(/^500/);
    expect(await answering('HELO\r\n')).toMatch(/^no HTTP/);
    expect(await answering('')).toMatch(/still open/);
    const head = 'HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nX-Request-Id: 1\r\n\r\n{}';
    expect(await answering(head)).toBeNull();
  });
});

describe('a sequence', () => {
  it('is a finding if a deleted thing is still there', async () => {
    const random = { one: (items: unknown[]) => items[0] };
    const statuses = [201, 400, 200, 200, 204, 200];
    const session = {
      results,
      call: async (id: string) => ({
        status: statuses.shift(),
        value: { slug: 'seq' },
        request: { path: id, headers: {} },
      }),
    };
    await playSequence({ session, names: {}, operator: {} } as never, random as never);
    expect([...results.findings.values()]).toMatchObject([
      {
        kind: 'sequence',
        where: 'getProject',
        text: expect.stringMatching(/deleteProject 204, getProject 200: expected 404/),
      },
    ]);
  });
});

describe('a race', () => {
  const facts = {
    balance: new Map([['prj a', 1]]),
    triggers: [
      { key: 'k', order: 'A', id: '1', isReplay: false },
      { key: 'k', order: 'A', id: '1', isReplay: true },
    ],
    merged: ['f'],
    deliveries: 4,
    user: 'ann@acme.test',
  };
  const rows = { names: { prj: ['a'] }, occurrences: [{ id: '1', status: 'expanded', sent: 4 }], fields: { f: 1 } };

  it('is no finding if the rows agree with the answers', () => {
    expect(brokenInvariants(facts, rows)).toEqual([]);
  });

  it.each<[string, object, object]>([
    ['prj a: answers of 201 minus 204 are 1, rows are 0', {}, { names: { prj: [] } }],
    ['prj a: answers of 201 minus 204 are 1, rows are 2', {}, { names: { prj: ['a', 'a'] } }],
    ['an occurrence was answered with 201, and does not exist', {}, { occurrences: [] }],
    [
      'an occurrence is expanded with 5 sent deliveries, not expanded with 4',
      {},
      { occurrences: [{ id: '1', status: 'expanded', sent: 5 }] },
    ],
    ['1 merged fields are lost', {}, { fields: {} }],
    [
      '2 triggers with one Idempotency-Key were not replays',
      { triggers: facts.triggers.map((each) => ({ ...each, isReplay: false })) },
      {},
    ],
    [
      'one Idempotency-Key took two bodies',
      { triggers: facts.triggers.map((each, n) => ({ ...each, order: `${n}` })) },
      {},
    ],
  ])('is a finding: %s', (sentence, otherFacts, otherRows) => {
    expect(brokenInvariants({ ...facts, ...otherFacts }, { ...rows, ...otherRows })).toEqual([sentence]);
  });
});

describe('memory', () => {
  it('that grows by more than a quarter and some is a finding', () => {
    expect(growthProblem({ heapMb: 80, rssMb: 1 }, { heapMb: 110, rssMb: 1 })).toBeNull();
    expect(growthProblem({ heapMb: 80, rssMb: 1 }, { heapMb: 130, rssMb: 1 })).toMatch(/80 MB .* 130 MB/);
  });

  it('of a process that leaks is seen, and garbage is not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-fuzz-'));
    const logFile = join(folder, 'log');
    const log = openSync(logFile, 'w');
    const leak = `
      const kept = [];
      const fill = () => Array.from({ length: 4e6 }, (_, n) => n + 0.5);
      process.stdin.on('data', (text) => { const made = fill(); if (String(text) === 'leak') kept.push(made, fill()); console.log('done'); });
      console.log('ready')`;
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', '-e', leak], {
      stdio: ['pipe', 'pipe', log],
      env: {},
    });
    const said = { text: '' };
    child.stdout!.on('data', (chunk: Buffer) => (said.text += chunk.toString()));
    const heard = (text: string) => until(20_000, async () => said.text.endsWith(`${text}\n`));
    const tell = async (text: string) => {
      said.text = '';
      child.stdin!.write(text);
      await heard('done');
    };
    try {
      await heard('ready');
      const memory = new Memory({ pid: child.pid, logFile });
      const start = await memory.measure(0);
      await tell('garbage');
      const middle = await memory.measure(0);
      expect(growthProblem(start, middle)).toBeNull();
      await tell('leak');
      expect(growthProblem(middle, await memory.measure(0))).not.toBeNull();
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
