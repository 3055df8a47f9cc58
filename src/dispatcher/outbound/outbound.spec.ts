import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsSink } from '../../../test/support/sinks/dns-sink.js';
import { HttpSink } from '../../../test/support/sinks/http-sink.js';
import type { Resolved } from './names/resolved.js';
import { Outbound, type Resolver } from './outbound.js';
import { OutboundFailed, OutboundRefused, OutboundTimeout } from './outbound-error.js';

let sink: HttpSink;
let open: Outbound[] = [];

beforeAll(async () => {
  sink = await HttpSink.start();
});
afterAll(() => sink.close());
beforeEach(() => {
  sink.requests.length = 0;
  sink.connections = 0;
  sink.reply = () => ({ status: 200, body: 'ok' });
});
afterEach(async () => {
  await Promise.all(open.map((outbound) => outbound.close()));
  open = [];
});

function outbound(options: ConstructorParameters<typeof Outbound>[0] = { allow: ['127.0.0.0/8'] }): Outbound {
  const made = new Outbound(options);
  open.push(made);
  return made;
}

const answers =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address): Resolved => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a POST to a special address', () => {
  it.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://2130706433',
    'http://0x7f000001',
    'http://0x7f.1',
    'http://127.1',
    'http://0177.0.0.1',
    'http://0',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[fe80::1]',
    'http://169.254.169.254',
    'http://[fd00:ec2::254]',
    'http://10.0.0.1',
    'http://192.168.0.1',
    'https://127.0.0.1',
    'https://169.254.169.254',
  ])('%s is refused before anything is sent', async (origin) => {
    const url = `${origin}:${sink.port}/latest/meta-data/`;
    await expect(outbound({}).post(url, { body: '{}' })).rejects.toThrow(OutboundRefused);
    expect(sink.connections).toBe(0);
  });

  it('is refused when only one of a name’s addresses is special', async () => {
    const made = outbound({ resolver: answers('8.8.8.8', '10.0.0.5') });
    const refused = made.post('http://both.test/', { body: '' });
    await expect(refused).rejects.toThrow(
      new OutboundRefused(
        'both.test is not allowed: it has a private address. The operator can allow it with OUTBOUND_ALLOW',
      ),
    );
  });

  it.each([
    [{ url: 'http://127.0.0.1:4000/' }, '127.0.0.1 is not allowed: it has a loopback address'],
    [{ webhook_url: 'https://[::1]/x' }, '[::1] is not allowed: it has a reserved address'],
    [{ host: 'LocalHost', port: 25 }, 'LocalHost is not allowed: it has a loopback address'],
    [{ host: '10.0.0.1' }, '10.0.0.1 is not allowed: it has a private address'],
    [{ host: 'mail.example.com' }, null],
    [{ url: 'https://8.8.8.8/' }, null],
    [{ url: 'nonsense' }, null],
    [{ bot_token: 'x' }, null],
  ])('is known before it is called: %j', (config, refusal) => {
    const said = refusal === null ? null : `${refusal}. The operator can allow it with OUTBOUND_ALLOW`;
    expect(outbound({}).refusalOf(config)).toBe(said);
    expect(outbound({ allow: ['127.0.0.0/8', '::1', '10.0.0.1'] }).refusalOf(config)).toBeNull();
  });

  it('is refused however the URL writes the host', async () => {
    await expect(outbound().post('ftp://127.0.0.1/', { body: '' })).rejects.toThrow(OutboundRefused);
    await expect(outbound().post('http://a:b@127.0.0.1/', { body: '' })).rejects.toThrow(OutboundRefused);
    await expect(outbound().post('nonsense', { body: '' })).rejects.toThrow(OutboundRefused);
  });
});

describe('a name', () => {
  it('is checked at every look-up, so that it cannot change between check and use', async () => {
    // A rebinding server returns the allowed address for the first look-ups and another for the next one.
    for (const allowed of [0, 1]) {
      let asked = 0;
      const rebinding: Resolver = async () => {
        asked += 1;
        return [{ address: asked <= allowed ? '127.0.0.1' : '127.0.0.2', family: 4 }];
      };
      const made = outbound({ allow: ['127.0.0.1'], resolver: rebinding });
      const refused = made.post(`http://rebind.test:${sink.port}/a`, { body: '' });
      await expect(refused).rejects.toThrow(OutboundRefused);
      expect(asked).toBe(allowed + 1);
    }
    expect(sink.connections).toBe(0);
  });

  it('is not looked up while a connection to it is open', async () => {
    let asked = 0;
    const resolver: Resolver = async () => ((asked += 1), [{ address: '127.0.0.1', family: 4 }]);
    const made = outbound({ allow: ['127.0.0.1'], resolver });
    await made.post(`http://kept.test:${sink.port}/a`, { body: '' });
    expect(sink.requests[0]?.headers.host).toBe(`kept.test:${sink.port}`);
    const before = asked;
    await made.post(`http://kept.test:${sink.port}/a`, { body: '' });
    expect(asked - before).toBeLessThanOrEqual(1); // undici may open a second connection
  });

  it('is tried at all its addresses', async () => {
    const made = outbound({ allow: ['127.0.0.0/8'], resolver: answers('127.0.0.9', '127.0.0.1') });
    expect(await made.post(`http://two.test:${sink.port}/`, { body: '' })).toMatchObject({ status: 200 });
    const socket = await made.connect('two.test', sink.port);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('that does not resolve is a failure, not a refusal', async () => {
    const missing: Resolver = () => Promise.reject(new Error('ENOTFOUND'));
    await expect(outbound({ resolver: missing }).post('http://gone.test/', { body: '' })).rejects.toThrow(
      new OutboundFailed('gone.test cannot be resolved: ENOTFOUND'),
    );
    await expect(outbound({ resolver: answers() }).resolve('empty.test')).rejects.toThrow(OutboundFailed);
  });

  it('resolves to the address to connect to', async () => {
    expect(await outbound({ resolver: answers('8.8.8.8') }).resolve('dns.test')).toEqual({
      address: '8.8.8.8',
      family: 4,
    });
    expect(await outbound({ resolver: answers() }).resolve('2606:4700::1111')).toEqual({
      address: '2606:4700::1111',
      family: 6,
    });
    await expect(outbound({ resolver: answers() }).resolve('0x7f.1')).rejects.toThrow(
      new OutboundRefused(
        '0x7f.1 is not allowed: it has a loopback address. The operator can allow it with OUTBOUND_ALLOW',
      ),
    );
  });
});

describe('a name server that does not answer', () => {
  it('holds up neither other names nor literal addresses', async () => {
    const dns = await DnsSink.start((name) => (name === 'hook.test' ? ['127.0.0.1'] : 'silence'));
    const made = outbound({ allow: ['127.0.0.1'], servers: [dns.server] });
    const silent = Array.from({ length: 40 }, (_, n) =>
      made.post(`http://n${n}.silent.test/`, { body: '', organization: `org${n % 4}`, timeoutMs: 4000 }),
    );
    const ended = Promise.allSettled(silent);
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    const post = (host: string) => made.post(`http://${host}:${sink.port}/`, { body: '', organization: 'good' });
    expect(await Promise.all([post('hook.test'), post('127.0.0.1')])).toMatchObject([{ status: 200 }, { status: 200 }]);
    (await made.connect('hook.test', sink.port, { organization: 'good' })).destroy();
    (await made.connect('127.0.0.1', sink.port)).destroy();
    expect(hasEnded).toBe(false);
    for (const each of await ended) expect(each).toMatchObject({ reason: expect.any(OutboundTimeout) });
    dns.close();
  });
});

describe('an answer', () => {
  it('has its status, headers and text', async () => {
    sink.reply = () => ({ status: 429, headers: { 'Retry-After': '7' }, body: 'slow down' });
    const answer = await outbound().post(sink.url('/in?a=1'), { headers: { 'x-a': 'b' }, body: 'hello' });
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '7' }, text: 'slow down' });
    expect(sink.requests[0]).toMatchObject({ method: 'POST', path: '/in?a=1', body: 'hello' });
    expect(sink.requests[0]?.headers).toMatchObject({ 'x-a': 'b', 'content-length': '5' });
  });

  it.each([2000, 60_000, 5_000_000])('of %d bytes is read up to 1 KB', async (size) => {
    sink.reply = () => ({ status: 200, body: Buffer.alloc(size, 'x') });
    const made = outbound();
    expect((await made.post(sink.url(), { body: '' })).text).toBe('x'.repeat(1024));
    for (let i = 1; i < 10; i += 1) await made.post(sink.url(), { body: '' });
    // Only a very long answer costs its connection. undici opens a second one before it sees that the first is free.
    if (size > 64 * 1024) expect(sink.connections).toBeGreaterThanOrEqual(10);
    else expect(sink.connections).toBeLessThanOrEqual(2);
  });

  it('that redirects to the metadata service is not followed', async () => {
    sink.reply = () => ({ status: 307, headers: { location: `http://169.254.169.254/latest/` }, body: '' });
    expect(await outbound().post(sink.url(), { body: '' })).toMatchObject({
      status: 307,
      headers: { location: 'http://169.254.169.254/latest/' },
    });
    sink.reply = ({ path }) => ({ status: path === '/' ? 302 : 200, headers: { location: sink.url('/next') } });
    await outbound().post(sink.url(), { body: '' });
    expect(sink.requests.map((request) => request.path)).toEqual(['/', '/']);
  });

  it('that does not come is a timeout', async () => {
    sink.reply = () => 'silence';
    const late = outbound().post(sink.url(), { body: '', timeoutMs: 50 });
    await expect(late).rejects.toThrow(new OutboundTimeout('no answer in 50 ms'));
  });

  it('that breaks off is a failure', async () => {
    sink.reply = () => 'reset';
    await expect(outbound().post(sink.url(), { body: '' })).rejects.toThrow(OutboundFailed);
  });

  it('keeps its status when the body breaks off', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\nhalf'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await outbound().post(url, { body: '' })).toMatchObject({ status: 202 });
    server.close();
  });

  it('is never requested with a header that contains a line break', async () => {
    const split = outbound().post(sink.url(), { headers: { 'x-a': 'b\r\nx-c: d' }, body: '' });
    await expect(split).rejects.toThrow(OutboundRefused);
    expect(sink.requests).toHaveLength(0);
  });
});

describe('a slow host', () => {
  it('answers one message while it holds many others', async () => {
    const slowSink = await HttpSink.start();
    slowSink.reply = ({ path }) => (path === '/slow' ? 'silence' : { status: 200 });
    const made = outbound();
    const slow = Array.from({ length: 250 }, () => made.post(slowSink.url('/slow'), { body: '', timeoutMs: 20_000 }));
    const ended = Promise.allSettled(slow);
    expect(await made.post(slowSink.url('/fast'), { body: '' })).toMatchObject({ status: 200 });
    await slowSink.close();
    await ended;
  });
});

describe('a connection', () => {
  it('is kept and used again', async () => {
    const made = outbound();
    for (let i = 0; i < 10; i += 1) await made.post(sink.url(), { body: '' });
    expect(sink.connections).toBeLessThanOrEqual(2);
  });

  it('to a special address is refused', async () => {
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '::1', '[::ffff:127.0.0.1]', '169.254.169.254']) {
      await expect(outbound({}).connect(host, sink.port)).rejects.toThrow(OutboundRefused);
    }
    expect(sink.connections).toBe(0);
  });

  it('that nobody accepts is a failure', async () => {
    const gone = await HttpSink.start();
    const { port } = gone;
    await gone.close();
    await expect(outbound().connect('127.0.0.1', port)).rejects.toThrow(OutboundFailed);
    await expect(outbound().post(`http://127.0.0.1:${port}/`, { body: '' })).rejects.toThrow(OutboundFailed);
  });

  it('times out when the look-up is slow, even if it succeeds later', async () => {
    let found: (addresses: Resolved[]) => void = () => {};
    const slow: Resolver = () => new Promise((resolve) => (found = resolve));
    const late = outbound({ allow: ['127.0.0.1'], resolver: slow }).connect('slow.test', sink.port, { timeoutMs: 20 });
    await expect(late).rejects.toThrow(OutboundTimeout);
    found([{ address: '127.0.0.1', family: 4 }]);
    await new Promise((resolve) => setImmediate(resolve));
    await outbound().post(sink.url(), { body: '' });
    expect(sink.connections).toBe(1);
  });
});
