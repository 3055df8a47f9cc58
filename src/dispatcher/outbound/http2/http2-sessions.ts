import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { AnswerReader, type HttpAnswer } from '../../answer/http-answer.js';
import { OutboundFailed, reasonOf } from '../outbound-error.js';
import {
  ConnectionGone,
  HTTP2_LIMITS,
  Http2Connection,
  type Http2Limits,
  type Http2Request,
} from './http2-connection.js';

/** Opens a TCP connection to a checked address. */
type Connect = (host: string, port: number) => Promise<Socket>;

export interface Http2Exchange extends Http2Request {
  /** Whose connection it is: requests with other credentials use another one. */
  session: string;
  origin: string;
  timeoutMs: number;
  keptBytes?: number;
  /** Certificates in PEM format, to trust instead of those of the public authorities. */
  ca?: string;
  connect: Connect;
}

const MAX_SESSIONS = 500;

/** The HTTP/2 connections of a process: one for each session and origin, which stays open between requests. */
export class Http2Sessions {
  private readonly open = new LRUCache<string, Promise<Http2Connection>>({
    max: MAX_SESSIONS,
    dispose: (opening) => void opening.then((connection) => connection.leave()).catch(() => {}),
  });

  constructor(private readonly limits: Http2Limits = HTTP2_LIMITS) {}

  /** Sends one request. It is sent once more, over a new connection, if the old one ended before the receiver answered. */
  async exchange(request: Http2Exchange): Promise<HttpAnswer> {
    const startedAt = performance.now();
    try {
      return await this.attempt(request, request.timeoutMs);
    } catch (error) {
      if (!(error instanceof ConnectionGone)) throw error;
    }
    const leftMs = Math.max(request.timeoutMs - (performance.now() - startedAt), 1);
    return this.attempt(request, Math.ceil(leftMs));
  }

  /** The next request gets another connection. */
  end(session: string, origin: string, ca?: string): void {
    this.open.delete(keyOf({ session, origin, ca }));
  }

  /** Closes idle connections at once, and the others when their requests have ended. */
  close(): void {
    this.open.clear();
  }

  private async attempt(request: Http2Exchange, timeoutMs: number): Promise<HttpAnswer> {
    const reader = new AnswerReader(timeoutMs, request.keptBytes);
    try {
      const connection = await Promise.race([this.connection(request), reader.answer]);
      if (connection instanceof Http2Connection) void connection.send(request, reader);
      return await reader.answer;
    } catch (error) {
      reader.fail(error as Error);
      throw error;
    }
  }

  private async connection(request: Http2Exchange): Promise<Http2Connection> {
    const key = keyOf(request);
    const known = this.open.get(key);
    if (known) {
      const connection = await known;
      if (connection.isUsable) return connection;
      // Another request may have replaced it already.
      if (this.open.get(key) !== known) return this.connection(request);
    }
    const opening = openConnection(request, this.limits);
    this.open.set(key, opening);
    opening.catch(() => {
      if (this.open.get(key) === opening) this.open.delete(key);
    });
    return opening;
  }
}

const keyOf = ({ session, origin, ca }: Pick<Http2Exchange, 'session' | 'origin' | 'ca'>): string =>
  JSON.stringify([session, origin, ca]);

async function openConnection({ origin, connect, ca }: Http2Exchange, limits: Http2Limits): Promise<Http2Connection> {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === 'https:';
  const socket = await connect(hostname, Number(port || (isTls ? 443 : 80)));
  return Http2Connection.open(origin, isTls ? await secured(socket, hostname, ca) : socket, limits);
}

/** Speaks TLS over a connected socket. */
async function secured(socket: Socket, hostname: string, ca?: string): Promise<Socket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = connectTls({
    socket,
    ALPNProtocols: ['h2'],
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ...(ca === undefined ? {} : { ca }),
  });
  try {
    await once(secure, 'secureConnect');
  } catch (error) {
    secure.destroy();
    throw new OutboundFailed(reasonOf(error));
  }
  if (secure.alpnProtocol === 'h2') return secure;
  secure.destroy();
  throw new OutboundFailed(`${hostname} does not speak HTTP/2`);
}
