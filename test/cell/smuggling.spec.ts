import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PROOF_HEADER } from '../../src/cell/forwarding/proof.js';
import type { TestApp } from '../support/app/app.js';
import { useCells } from '../support/app/cells.js';
import { until } from '../support/until.js';
import { settleAcmeAndGlobex } from './world.js';

// A raw client asks the first cell for things of the second one. Whatever it writes into a body never runs there as a request.
let first: TestApp;
let second: TestApp;
let key: string;

useCells(async (cells) => {
  [first, second] = cells.apps as [TestApp, TestApp];
  key = (await settleAcmeAndGlobex(cells)).globex;
});

interface Arrived {
  line: string;
  headers: IncomingMessage['headers'];
}
/** The requests that reached the second cell. */
let arrived: Arrived[] = [];
const note = ({ method, url, headers }: IncomingMessage) =>
  arrived.push({ line: `${method} ${url}`, headers: { ...headers } });
const server = (): Server => second.app.getHttpServer();
beforeEach(() => {
  arrived = [];
  server().prependListener('request', note);
});
afterEach(() => void server().off('request', note));

const PATH = '/api/o/globex/u/nobody@globex.test/';
const SMUGGLED = `DELETE /api/o/globex/smuggled/ HTTP/1.1\r\nHost: x\r\nX-Rest: `;
const VICTIM = '/api/o/globex/u/';

/** The status of the first answer to these bytes, once the whole answer is there; null: the connection was closed without one. */
function sendRaw({ url }: TestApp, bytes: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let text = '';
    const status = () => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? NaN);
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      text = (text + part).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      if (text.includes('\r\n\r\n')) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(Number.isNaN(status()) ? null : status()));
  });
}

const head = (method: string, ...lines: string[]) =>
  [`${method} ${PATH} HTTP/1.1`, 'Host: x', `Authorization: Key ${key}`, ...lines, '', ''].join('\r\n');
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

const BODIES: Record<string, (method: string, ...lines: string[]) => string> = {
  'with a length': (method, ...lines) => head(method, `Content-Length: ${SMUGGLED.length}`, ...lines) + SMUGGLED,
  'in chunks': (method, ...lines) => head(method, 'Transfer-Encoding: chunked', ...lines) + chunked(SMUGGLED),
};

const METHODS = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'TRACE', 'PROPFIND'];
const HOP = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect'],
];
const END_TO_END = ['content-length', 'content-type', 'host', 'authorization', 'cookie', 'x-api-key', 'x-request-id'];
const NAMED = [...HOP, ...END_TO_END, PROOF_HEADER, 'x-carillon-proof', 'close'];
/** Hop headers with a value of their own. */
const SENT = [
  ...['Keep-Alive: timeout=5', 'Proxy-Authorization: Basic eDp5', 'Proxy-Connection: keep-alive', 'TE: trailers'],
  ...['Trailer: X-Late', 'Upgrade: h2c', 'Upgrade: websocket', 'Expect: 100-continue'],
];

/** Sends it to the cell that forwards it, and then an innocent request of another client. */
async function expectNothingSmuggled(bytes: string): Promise<number | null> {
  const status = await sendRaw(first, bytes);
  const answer = await first.as(key).get(VICTIM);
  expect([answer.status, (answer.body as { email: string }[])[0]?.email]).toEqual([200, 'ann@globex.test']);
  expect(arrived.filter(({ line }) => line.includes('smuggled'))).toEqual([]);
  return status;
}

describe.each(METHODS)('%s', (method) => {
  it.each(Object.keys(BODIES))('runs once, whatever Connection names, with a body %s', async (kind) => {
    for (const name of NAMED) {
      arrived = [];
      const bytes = BODIES[kind]!(method, `Connection: keep-alive, ${name}`);
      const status = await expectNothingSmuggled(bytes);
      const lines = arrived.map(({ line }) => line);
      expect([name, ...lines]).toEqual([name, `${method} ${PATH}`, `GET ${VICTIM}`]);
      // As if the client had asked that cell.
      expect([name, status]).toEqual([name, await sendRaw(second, bytes)]);
    }
  });

  it.each(Object.keys(BODIES))('runs once with every hop header, with a body %s', async (kind) => {
    for (const line of SENT) {
      const bytes = BODIES[kind]!(method, line, `Connection: keep-alive, ${line.split(':')[0]}`);
      const status = await expectNothingSmuggled(bytes);
      expect([line, status]).toEqual([line, await sendRaw(second, bytes)]);
      const { headers } = arrived.find((one) => one.line === `${method} ${PATH}`)!;
      const name = line.split(':')[0]!.toLowerCase();
      if (name !== 'transfer-encoding') expect(headers).not.toHaveProperty(name);
      arrived = [];
    }
  });

  it('reaches the other cell with its key, its host and the proof, whatever Connection names', async () => {
    const names = ['authorization', 'host', PROOF_HEADER, 'x-request-id', 'cookie'];
    const lines = [`Connection: ${names.join(', ')}`, 'Cookie: a=b', 'X-Request-Id: mine', `${PROOF_HEADER}: made-up`];
    await expectNothingSmuggled(head(method, ...lines));
    expect(arrived[0]!.headers).toMatchObject({
      ...{ authorization: `Key ${key}`, host: new URL(second.url).host, cookie: 'a=b', 'x-request-id': 'mine' },
      [PROOF_HEADER]: expect.stringMatching(/^[\w-]{40,}\.[\w-]{43}$/),
    });
  });
});

it('refuses a request whose length can be read in two ways', async () => {
  const length = `Content-Length: ${SMUGGLED.length}`;
  const TWO_WAYS = [
    ['Content-Length: 0', length],
    [length, 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding : chunked', length],
    ['Transfer-Encoding: xchunked', length],
    [`Content-Length: +${SMUGGLED.length}`],
    [`Content-Length: ${SMUGGLED.length}, 0`],
  ];
  for (const method of METHODS)
    for (const lines of TWO_WAYS) {
      const status = await expectNothingSmuggled(head(method, ...lines) + SMUGGLED);
      expect([method, lines, status]).toEqual([method, lines, 400]);
    }
  expect(arrived.filter(({ line }) => !line.endsWith(VICTIM))).toEqual([]);
});

it('reads no more than a bounded part of a body that nobody wants', async () => {
  const socket = connect(Number(new URL(first.url).port), '127.0.0.1');
  let isClosed = false;
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (part) => (text += part.toString('latin1')));
  socket.on('close', () => (isClosed = true));
  socket.write(head('GET', 'Transfer-Encoding: chunked'), 'latin1');
  const part = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
  await until(20_000, () => {
    if (!isClosed && socket.writableLength < 1_000_000) socket.write(part);
    return isClosed;
  });
  expect(text).toMatch(/^HTTP\/1\.1 404 /);
  expect((await first.as(key).get(VICTIM)).status).toBe(200);
});
