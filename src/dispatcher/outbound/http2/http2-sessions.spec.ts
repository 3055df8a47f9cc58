import { once } from 'node:events';
import { constants, createSecureServer, createServer } from 'node:http2';
import type { Http2Server, Http2Session, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { connect as connectSocket, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SilentProxy } from '../../../../test/support/sinks/silent-proxy.js';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from '../../../../test/support/sinks/certificate.js';
import { until } from '../../../../test/support/until.js';
import { OutboundFailed, OutboundLost, OutboundTimeout } from '../outbound-error.js';
import { HTTP2_LIMITS } from './http2-connection.js';
import { Http2Sessions, type Http2Exchange } from './http2-sessions.js';

type Answer = (stream: ServerHttp2Stream, session: Http2Session, count: number) => void;

const ok: Answer = (stream) => {
  stream.respond({ ':status': 200 });
  stream.end('fine');
};

/** A real HTTP/2 server, whose answers a test chooses. */
class Server {
  readonly sessions: ServerHttp2Session[] = [];
  readonly sockets: Socket[] = [];
  readonly streams: { path: string; session: Http2Session }[] = [];
  answer: Answer = ok;

  private constructor(
    private readonly server: Http2Server,
    private readonly isTls: boolean,
  ) {
    server.on('connection', (socket: Socket) => this.sockets.push(socket));
    server.on('session', (session) => {
      this.sessions.push(session);
      session.on('error', () => {});
    });
    server.on('stream', (stream, headers) => {
      const session = stream.session!;
      stream.on('error', () => {});
      this.streams.push({ path: String(headers[':path']), session });
      this.answer(stream, session, this.streams.length);
    });
  }

  static async start(settings = {}, isTls = false): Promise<Server> {
    const key = { key: LOCALHOST_KEY, cert: LOCALHOST_CERTIFICATE };
    const server = isTls ? createSecureServer({ ...key, settings }) : createServer({ settings });
    const started = new Server(server, isTls);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get origin(): string {
    return `${this.isTls ? 'https://localhost' : 'http://127.0.0.1'}:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

let server: Server;
let sessions: Http2Sessions;
beforeEach(async () => {
  server = await Server.start();
  sessions = new Http2Sessions();
});
afterEach(() => {
  sessions.close();
  server.close();
});

const connect = async (_host: string, port: number): Promise<Socket> => {
  const socket = connectSocket(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

const send = (change: Partial<Http2Exchange> = {}) =>
  sessions.exchange({
    ...{ session: 'one', origin: server.origin, method: 'POST', path: '/x', headers: { 'x-a': '1' }, body: '{}' },
    ...{ timeoutMs: 5000, connect },
    ...change,
  });

describe('requests over HTTP/2', () => {
  it('share one connection, and get their answers', async () => {
    server.answer = (stream) => {
      stream.respond({ ':status': 410, 'apns-id': 'x', 'set-cookie': ['a', 'b'] });
      stream.end('{"reason":"Unregistered"}');
    };
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers[0]).toMatchObject({ status: 410, headers: { 'apns-id': 'x' }, text: '{"reason":"Unregistered"}' });
    expect([server.sessions.length, server.streams.length]).toEqual([1, 3]);
  });

  it('of other credentials use another connection', async () => {
    await send();
    await send({ session: 'two' });
    expect(server.sessions).toHaveLength(2);
  });

  it('are encrypted, and trust only the given authority', async () => {
    const secure = await Server.start({}, true);
    try {
      const request = { origin: secure.origin, ca: LOCALHOST_CERTIFICATE };
      expect(await send(request)).toMatchObject({ status: 200, text: 'fine' });
      await expect(send({ origin: secure.origin, session: 'two' })).rejects.toThrow(OutboundFailed);
    } finally {
      secure.close();
    }
  });

  it('wait for a free stream if the server allows few', async () => {
    const narrow = await Server.start({ maxConcurrentStreams: 2 });
    let [open, most] = [0, 0];
    narrow.answer = (stream) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        ok(stream, stream.session!, 0);
      }, 5);
    };
    try {
      const all = Array.from({ length: 9 }, () => send({ origin: narrow.origin }));
      expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(9).fill(200));
      expect([most, narrow.sessions.length]).toEqual([2, 1]);
    } finally {
      narrow.close();
    }
  });

  it('keep no more of an answer than they want', async () => {
    server.answer = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('x'.repeat(200_000));
    };
    const answer = await send({ keptBytes: 1000 });
    expect([answer.status, answer.text.length, answer.isCut]).toEqual([200, 1000, true]);
  });

  it('fail if nobody speaks HTTP/2 there', async () => {
    const gone = await Server.start();
    const { origin } = gone;
    gone.close();
    await expect(send({ origin })).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a server that leaves', () => {
  it('with GOAWAY gets no new requests, and answers the old ones', async () => {
    let finish = () => {};
    server.answer = (stream, session, count) => {
      if (count > 1) return ok(stream, session, count);
      finish = () => ok(stream, session, count);
      (session as ServerHttp2Session).goaway(constants.NGHTTP2_NO_ERROR, stream.id);
    };
    const first = send();
    await until(5000, () => Promise.resolve(server.streams.length === 1));
    await until(5000, async () => {
      const { status } = await send();
      return status === 200 && server.sessions.length === 2;
    });
    finish();
    expect((await first).status).toBe(200);
  });

  it('with GOAWAY gets a request again that it has not seen', async () => {
    const seen: ServerHttp2Stream[] = [];
    server.answer = (stream, session, count) => {
      seen.push(stream);
      if (count > 2) return ok(stream, session, count);
      if (count < 2) return;
      (session as ServerHttp2Session).goaway(constants.NGHTTP2_NO_ERROR, 1);
      ok(seen[0]!, session, 1);
    };
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([server.sessions.length, server.streams.length]).toEqual([2, 3]);
  });

  it('by refusing a stream gets the request again, once', async () => {
    server.answer = (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM);
    await expect(send()).rejects.toThrow(OutboundLost);
    expect(server.streams).toHaveLength(2);
    server.answer = (stream, session, count) =>
      count === 3 ? stream.close(constants.NGHTTP2_REFUSED_STREAM) : ok(stream, session, count);
    expect((await send()).status).toBe(200);
    expect(server.streams).toHaveLength(4);
  });

  it('by resetting the connection gets the request again, over a new one', async () => {
    server.answer = (stream, session, count) => {
      if (count > 1) return ok(stream, session, count);
      server.sockets[0]!.resetAndDestroy();
    };
    expect((await send()).status).toBe(200);
    expect(server.sessions).toHaveLength(2);
  });

  it('while it answers does not get the request again', async () => {
    server.answer = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('half', () => server.sockets[0]!.resetAndDestroy());
    };
    expect(await send()).toMatchObject({ status: 200, isCut: true });
    expect(server.streams).toHaveLength(1);
  });

  it('by breaking one stream does not get the request again', async () => {
    server.answer = (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    await expect(send()).rejects.toThrow(OutboundLost);
    expect([server.streams.length, server.sessions.length]).toEqual([1, 1]);
  });
});

describe('a connection that silently died', () => {
  it('is replaced after one request without an answer', async () => {
    server.answer = () => {};
    await expect(send({ timeoutMs: 100 })).rejects.toThrow(OutboundTimeout);
    server.answer = ok;
    expect((await send()).status).toBe(200);
    expect(server.sessions).toHaveLength(2);
  });

  it('is noticed by a ping, and its requests are sent again', async () => {
    sessions = new Http2Sessions({ ...HTTP2_LIMITS, pingMs: 50, pongMs: 50 });
    const proxy = await SilentProxy.start(Number(new URL(server.origin).port));
    server.answer = (stream, session, count) => (count > 1 ? ok(stream, session, count) : proxy.silence());
    const answer = await send({ connect: (host) => connect(host, proxy.port) });
    expect([answer.status, server.sessions.length]).toEqual([200, 2]);
    await proxy.close();
  });

  it('while nobody used it is noticed by the next request, which is sent over another one', async () => {
    sessions = new Http2Sessions({ ...HTTP2_LIMITS, silentMs: 50, soonMs: 50 });
    const proxy = await SilentProxy.start(Number(new URL(server.origin).port));
    const over = () => send({ connect: (host) => connect(host, proxy.port), timeoutMs: 60_000 });
    await over();
    proxy.silence();
    expect((await over()).status).toBe(200);
    expect([server.sessions.length, server.streams.length]).toEqual([2, 2]);
    await proxy.close();
  });

  it('is not one whose receiver only takes its time', async () => {
    sessions = new Http2Sessions({ ...HTTP2_LIMITS, silentMs: 10, soonMs: 5_000 });
    let pings = 0;
    server.answer = (stream, session, count) => {
      session.on('ping', () => ++pings === 3 && ok(stream, session, count));
    };
    expect((await send({ timeoutMs: 60_000 })).status).toBe(200);
    expect([server.sessions.length, server.streams.length]).toEqual([1, 1]);
  });

  it('is noticed before the time of a request is over', () => {
    const { silentMs, soonMs, pingMs } = HTTP2_LIMITS;
    expect(2 * silentMs + soonMs).toBeLessThan(10_000);
    expect(pingMs).toBe(60_000);
  });
});

it('a connection that nobody uses is closed', async () => {
  sessions = new Http2Sessions({ ...HTTP2_LIMITS, pingMs: 20, idleMs: 40 });
  await send();
  await until(5000, () => Promise.resolve(server.sockets[0]!.destroyed));
});

it('the shutdown closes connections when their requests have ended', async () => {
  let finish = () => {};
  server.answer = (stream, session, count) => (finish = () => ok(stream, session, count));
  const sending = send();
  await until(5000, () => Promise.resolve(server.streams.length === 1));
  sessions.close();
  finish();
  expect((await sending).status).toBe(200);
  await until(5000, () => Promise.resolve(server.sockets[0]!.destroyed));
});
