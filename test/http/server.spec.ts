import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Telemetry } from '../../src/platform/telemetry/telemetry.js';
import type { TestApp } from '../support/app/app.js';
import { startApi } from '../support/app/api.js';
import { sentDuring } from '../support/app/sent.js';
import { useApp } from '../support/app/use.js';
import { until } from '../support/until.js';

let app: TestApp;
let key: string;
let server: Server;
useApp({ PUBLIC_URL: 'https://notify.test', METRICS_PORT: '0' }, async (started) => {
  app = started;
  key = await app.key();
  server = app.app.getHttpServer();
});

describe('every answer', () => {
  it.each([
    ['/api/system/ping/', 200],
    ['/api/o/none/u/', 404],
    ['/health/live', 200],
    ['/nowhere', 404],
  ])('has headers against sniffing, framing, scripts and caches: %s', async (path, status) => {
    const answer = await app.as(key).get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it('but the page of the documentation may load its own scripts and styles', async () => {
    const { headers, text } = await app.as().get('/api/docs/');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; .*connect-src 'self'/);
    expect(headers['x-frame-options']).toBe('DENY');
    expect(text).not.toMatch(/<script(?![^>]* src=)/); // the policy allows none in the page itself
  });
});

describe('the first link', () => {
  it('/ leads a browser to the console', async () => {
    const { status, headers } = await app.as().get('/').set('Accept', 'text/html,*/*;q=0.8');
    expect([status, headers.location, headers.vary]).toEqual([302, 'console/', 'Accept']);
  });

  it('/ is an index for programs', async () => {
    expect((await app.as().get('/')).body).toMatchObject({ name: 'Carillon', console: '/console/' });
  });

  it.each(['/api/', '/api'])('%s is a page for browsers and an index for programs', async (path) => {
    const page = await app.as().get(path).set('Accept', 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.text).toContain('Version 1.');
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    const links = [...page.text.matchAll(/<a href="([^"]*)"/g)].map(
      ([, link]) => new URL(link!, app.url + path).pathname,
    );
    expect(links.length).toBeGreaterThan(3);
    const index = await app.as().get(path);
    expect(index.body).toMatchObject({ name: 'Carillon', version: expect.any(String), docs: '/api/docs/' });
    const named = Object.values(index.body as Record<string, string>).filter((value) => value.startsWith('/'));
    for (const link of new Set([...links, ...named]))
      expect([link, (await app.as().get(link)).status]).toEqual([link, 200]);
  });
});

it('names the methods of a path in a 405', async () => {
  const { status, headers, body } = await app.as(key).delete('/api/o/acme/u/');
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  expect(body).toMatchObject({ detail: 'DELETE does not work here. Use GET or HEAD or POST.' });
  expect((await app.as(key).put('/api/docs/')).status).toBe(405);
});

it('refuses query parameters that an operation does not know, once the key is right', async () => {
  await app.apply('organizations: [{ slug: acme, name: Acme }]');
  const list = await app.as(key).get('/api/o/acme/p/?limt=10');
  expect([list.status, list.body.errors]).toEqual([
    400,
    { limt: ['is not a query parameter: did you mean limit? Known: limit, after'] },
  ]);
  const ping = await app.as(key).get('/api/system/ping/?toString=1&__proto__=2');
  const none = ['is not a query parameter: this operation has no query parameters'];
  expect([ping.status, Object.entries(ping.body.errors)]).toEqual([
    400,
    [
      ['toString', none],
      ['__proto__', none],
    ],
  ]);
  expect((await app.as().get('/api/o/acme/p/?limt=10')).status).toBe(401);
  expect((await app.as().get('/health/live?from=balancer')).status).toBe(400);
});

/** Sends the text over a connection of its own, and answers all that comes back. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.on('data', (data) => (heard += String(data)));
  socket.on('error', () => undefined); // the service may close before it has read everything
  socket.write(text);
  await once(socket, 'close');
  return heard;
}

function expectProblem(heard: string, status: number, kind: string): void {
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/\r\nContent-Type: application\/problem\+json/i);
  expect(head).toMatch(/\r\nX-Content-Type-Options: nosniff/i);
  expect(head).toMatch(/\r\nX-Request-Id: \S/i);
  expect(JSON.parse(body)).toMatchObject({ type: `urn:carillon:problem:${kind}`, status, detail: expect.any(String) });
}

describe('a request that never reaches a route', () => {
  it('is a problem too: no HTTP, no Host, headers that are too large', async () => {
    expectProblem(await raw('NONSENSE\r\n\r\n'), 400, 'invalid-request');
    expectProblem(await raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'invalid-request');
    const huge = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
    expectProblem(await raw(huge), 431, 'headers-too-large');
  });

  it('is served if it expects what the service does not know', async () => {
    const text = `GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n`;
    expectProblem(await raw(text), 404, 'not-found');
  });

  it('is a problem when it takes too long', async () => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const heard = raw('GET / HTTP/1.1\r\nHost: x\r\n');
    const [socket] = await accepted;
    // What Node says after `headersTimeout`.
    server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    expectProblem(await heard, 408, 'request-timeout');
  });
});

describe('connections', () => {
  it('stay open longer than those of a proxy do', () => {
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
    expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
  });

  it('that were in use when the service was told to stop do not keep it from stopping', async () => {
    const other = await startApi(app);
    const agent = new Agent({ keepAlive: true });
    const body = '{"name": "x"}';
    const headers = { authorization: `Key ${key}`, 'content-type': 'application/json', 'content-length': body.length };
    const sending = request(`${other.url}/api/o/none/u/`, { agent, method: 'POST', headers });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    const begun = once(other.app.getHttpServer(), 'request');
    sending.write(body.slice(0, 5));
    await begun;
    const stopped = other.stop();
    sending.end(body.slice(5));
    const [answer] = await answered;
    answer.resume();
    await stopped; // with the test's own patience: it is less than `keepAliveTimeout`
    agent.destroy();
  });
});

it('asks the database once for several checks of readiness, and never for one of liveness', async () => {
  const sent = await sentDuring(async () => {
    const ready = await Promise.all(Array.from({ length: 20 }, () => app.as().get('/health/ready')));
    expect(ready.map(({ status }) => status)).toEqual(ready.map(() => 200));
    for (let i = 0; i < 5; i++) await app.as().get('/health/live');
  });
  expect(sent.filter(({ text }) => text.includes('to_regclass')).length).toBeLessThanOrEqual(1);
  expect(sent.length).toBeLessThanOrEqual(4);
});

it('is not ready on the schema of a release that it cannot run on, and says so', async () => {
  const name = '39990101000000_newer';
  await app.pool.query(
    `insert into _carillon_migrations (id, checksum, migration_name, needs, finished_at)
     values (gen_random_uuid(), 'x', $1, '39980101000000_unknown', now())`,
    [name],
  );
  const { status, body } = await until(10_000, async () => {
    const answer = await app.as().get('/health/ready');
    return answer.status !== 200 && answer;
  });
  const migrations = expect.stringContaining(`it has the migration ${name}, which needs a release with`);
  expect([status, body]).toEqual([503, { status: 'unavailable', checks: { database: 'ok', migrations } }]);
  await app.pool.query('delete from _carillon_migrations where migration_name = $1', [name]);
});

it('counts a request whose client left as aborted, not as a success', async () => {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const begun = once(server, 'request');
  socket.write(
    `POST /api/o/none/u/ HTTP/1.1\r\nHost: x\r\nAuthorization: Key ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  );
  await begun;
  socket.destroy();
  const counts = async () => {
    const metrics = await app.app.get(Telemetry).metrics!.measure();
    const { values } = metrics.find(({ name }) => name === 'carillon_http_request_duration_seconds')!;
    const posts = values.filter(({ labels }) => labels.method === 'POST' && !('le' in labels));
    return posts.map(({ labels }) => labels.status);
  };
  const statuses = await until(10_000, async () => (await counts()).length > 0 && counts());
  expect(new Set(statuses)).toEqual(new Set(['aborted']));
});
