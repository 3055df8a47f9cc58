import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { errors, type Agent } from 'undici';
import { parseSubnet } from '../../platform/field/subnet.js';
import type { Subnet } from '../../platform/field/subnet.js';
import { AnswerReader, type HttpAnswer } from '../answer/http-answer.js';
import { HttpAgents } from './http-agents.js';
import { Http2Sessions } from './http2/http2-sessions.js';
import { Names } from './names/names.js';
import type { Resolved } from './names/resolved.js';
import { plainHost, plainUrl, refusal } from './outbound-address.js';
import { OutboundFailed, OutboundLost, OutboundRefused, OutboundTimeout, reasonOf } from './outbound-error.js';

/** Looks up every address of a name for an organization. */
export type Resolver = (name: string, organization?: string) => Promise<Resolved[]>;

interface OutboundOptions {
  /** Addresses and subnets that may be called although they are special. */
  allow?: readonly string[];
  /** Name servers as `address:port`; those of the system when not given. */
  servers?: readonly string[];
  /** Replaces the look-up of names. */
  resolver?: Resolver;
}

interface Post {
  /** `POST` unless given. */
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body: string | Uint8Array;
  timeoutMs?: number;
  /** How much of the answer to keep; 1 KB unless given. */
  keptBytes?: number;
  /** Certificates in PEM format, to trust instead of those of the public authorities. */
  ca?: string;
  /** Speaks HTTP/2, over one connection for each of these names. Left out: HTTP/1. */
  session?: string;
  /** The slug of the organization that sends, when it chose the host: it has a limited number of look-ups under way. */
  organization?: string;
}

/** The answer to a GET. */
export interface HttpFile {
  status: number;
  /** The content type; empty: the answer has none. */
  type: string;
  body: Readable;
}

interface Connect {
  timeoutMs?: number;
  organization?: string;
}

interface Target {
  origin: string;
  host: string;
  path: string;
}

type Addresses = readonly [Resolved, ...Resolved[]];

const TIMEOUT_MS = 10_000;
const KEPT_OF_GET = 16 * 1024;

/**
 * Makes every outgoing connection. Customers choose the hosts, so each is checked before anything is sent: private,
 * loopback, link-local, metadata and other special addresses are refused unless the operator's allow-list has them. A name
 * is resolved once, all its addresses must pass, and the connection uses only those.
 */
export class Outbound {
  private readonly allow: readonly Subnet[];
  private readonly names: Names;
  private readonly resolver: Resolver;
  private readonly agents = new HttpAgents(async (host) => ({
    timeout: TIMEOUT_MS,
    ...onlyTo(await this.resolveAll(host)),
  }));
  private readonly sessions = new Http2Sessions();
  private readonly targets = new LRUCache<string, Target>({ max: 1000 });

  constructor(options: OutboundOptions = {}) {
    this.names = new Names({ servers: options.servers });
    this.allow = (options.allow ?? []).map(parseSubnet);
    this.resolver = options.resolver ?? ((name, organization) => this.names.resolve(name, organization));
  }

  /** The checked address of a host name or literal address. */
  async resolve(host: string): Promise<Resolved> {
    return (await this.resolveAll(host))[0];
  }

  /** The TXT records of a name, each joined to one text; none if there is no such name. */
  texts(name: string, organization: string): Promise<string[]> {
    return this.names.texts(name, organization);
  }

  /** Opens a TCP connection to a checked address of the host. */
  async connect(host: string, port: number, { timeoutMs = TIMEOUT_MS, organization }: Connect = {}): Promise<Socket> {
    const timedOut = new AbortController();
    const opened = async (): Promise<Socket> => {
      const addresses = await this.resolveAll(host, organization);
      // The look-up may end after the timeout, and a socket connects even with a signal that has already fired.
      timedOut.signal.throwIfAborted();
      return connected(connect({ host, port, signal: timedOut.signal, ...onlyTo(addresses) }));
    };
    try {
      return await within(timeoutMs, opened());
    } catch (error) {
      timedOut.abort();
      throw error;
    }
  }

  /** Sends one request. Any status is an answer; redirects are not followed. */
  async post(url: string, post: Post): Promise<HttpAnswer> {
    const target = this.targetOf(url);
    const { timeoutMs = TIMEOUT_MS } = post;
    if (post.session !== undefined) return this.postOver(post.session, target, post, timeoutMs);
    const { kept, fresh } = this.agents.of(post.ca);
    const startedAt = performance.now();
    try {
      return await this.exchange(kept, target, post, timeoutMs);
    } catch (error) {
      // The receiver closed an idle connection just when we used it again. Usually it has read nothing. It may also have read the
      // request and died: nobody can tell. So this is as safe as any retry of a lost answer, which would follow 5 s later: the
      // request has the same `webhook-id`. It is sent once more, over a new connection, so no second one can be stale. A new
      // connection that breaks, and a timeout, are failed attempts: the receiver may be at work.
      if (!this.agents.wasReused(error, startedAt)) throw failureFor(error);
    }
    const leftMs = Math.max(timeoutMs - (performance.now() - startedAt), 1);
    return this.exchange(fresh, target, post, Math.ceil(leftMs)).catch((error: unknown) => {
      throw failureFor(error);
    });
  }

  /**
   * Sends one GET. Any status is an answer; redirects are not followed. The body is read as fast as it is used, until `signal` ends it; a body that is
   * not used must be destroyed.
   */
  async get(url: string, { signal, organization }: { signal: AbortSignal; organization: string }): Promise<HttpFile> {
    try {
      const { origin, host, path } = this.targetOf(url);
      await this.resolveAll(host, organization);
      const headers = { 'accept-encoding': 'identity', 'user-agent': 'Carillon' };
      const answer = await this.agents.of().fresh.request({ origin, path, method: 'GET', headers, signal });
      // A body that is destroyed emits an error, which would end the process. Whoever reads the body gets it all the same.
      answer.body.on('error', () => {});
      return { status: answer.statusCode, type: String(answer.headers['content-type'] ?? ''), body: answer.body };
    } catch (error) {
      throw signal.aborted ? new OutboundTimeout('no answer in time') : failureFor(error);
    }
  }

  /** Sends one GET, and keeps more of the answer. Any status is an answer; redirects are not followed. */
  async getText(url: string): Promise<HttpAnswer> {
    const { fresh } = this.agents.of(undefined);
    return this.exchange(fresh, this.targetOf(url), null, TIMEOUT_MS).catch((error: unknown) => {
      throw failureFor(error);
    });
  }

  /** The next request of this session to the host of the URL gets another connection. */
  endSession(session: string, url: string): void {
    this.sessions.end(session, this.targetOf(url).origin);
  }

  /** Closes the connections of HTTP/2, busy ones once their requests are done. Those of HTTP/1 end by themselves after some seconds. */
  closeSessions(): void {
    this.sessions.close();
  }

  /** Closes idle connections, and busy ones once their requests are done. */
  close(): Promise<void> {
    this.names.close();
    this.closeSessions();
    return this.agents.close();
  }

  private postOver(session: string, { origin, path }: Target, post: Post, timeoutMs: number): Promise<HttpAnswer> {
    const { method = 'POST', headers = {}, body, keptBytes, ca, organization } = post;
    const connect = (host: string, port: number) => this.connect(host, port, { timeoutMs, organization });
    const request = { method, path, headers, body, session, origin, timeoutMs, keptBytes, ca, connect };
    return this.sessions.exchange(request).catch((error: unknown) => {
      throw failureFor(error);
    });
  }

  private async exchange(
    agent: Agent,
    { origin, host, path }: Target,
    post: Post | null,
    timeoutMs: number,
  ): Promise<HttpAnswer> {
    const { headers, body, organization } = post ?? {};
    const method = post ? (post.method ?? 'POST') : 'GET';
    const reader = new AnswerReader(timeoutMs, post ? post.keptBytes : KEPT_OF_GET);
    try {
      // undici connects without knowing who asks. So the name is looked up here first; undici's look-up then finds it cached.
      if (!this.agents.isConnected(host)) await Promise.race([this.resolveAll(host, organization), reader.answer]);
      const allHeaders = { 'accept-encoding': 'identity', ...headers };
      agent.dispatch({ origin, path, method, headers: allHeaders, body }, reader);
      return await reader.answer;
    } catch (error) {
      reader.fail(error as Error);
      throw error;
    }
  }

  /** Cached, because a channel sends to the same URL again and again. */
  private targetOf(url: string): Target {
    const known = this.targets.get(url);
    if (known) return known;
    const { origin, hostname, pathname, search } = plainUrl(url);
    const target = { origin, host: hostname, path: pathname + search };
    this.targets.set(url, target);
    return target;
  }

  private async resolveAll(host: string, organization?: string): Promise<Addresses> {
    const name = plainHost(host);
    const literal = isIP(name);
    const found = literal === 0 ? await this.lookUp(name, organization) : [{ address: name, family: literal as 4 | 6 }];
    for (const { address } of found) {
      const range = refusal(address, this.allow);
      if (range !== null) throw new OutboundRefused(notAllowed(host, range));
    }
    const [first, ...rest] = found;
    if (first === undefined) throw new OutboundFailed(`${host} has no address`);
    return [first, ...rest];
  }

  /**
   * Why messages with these settings will not be sent, as far as the settings alone show it: their host is an address that is not allowed. Null: no
   * such reason is known.
   */
  refusalOf({ url, webhook_url: webhookUrl, host }: Readonly<Record<string, unknown>>): string | null {
    try {
      const target = url ?? webhookUrl;
      const given = target === undefined ? String(host) : plainUrl(String(target)).hostname;
      const name = given.toLowerCase() === 'localhost' ? '127.0.0.1' : plainHost(given);
      const range = isIP(name) === 0 ? null : refusal(name, this.allow);
      return range === null ? null : notAllowed(given, range);
    } catch {
      return null; // no host at all
    }
  }

  private async lookUp(name: string, organization: string | undefined): Promise<Resolved[]> {
    try {
      return await this.resolver(name, organization);
    } catch (error) {
      throw new OutboundFailed(`${name} cannot be resolved: ${reasonOf(error)}`);
    }
  }
}

/** The address itself is left out: customers must not learn addresses inside the operator's network. */
const notAllowed = (host: string, range: string) =>
  `${host} is not allowed: it has a ${range} address. The operator can allow it with OUTBOUND_ALLOW`;

/** Tries these addresses in turn until one answers, without resolving the name again. */
function onlyTo(addresses: Addresses): { lookup: LookupFunction; autoSelectFamily: true } {
  const fixed: LookupFunction = (_name, options, done) =>
    options.all ? done(null, [...addresses]) : done(null, addresses[0].address, addresses[0].family);
  return { lookup: fixed, autoSelectFamily: true };
}

function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(new OutboundFailed(reasonOf(error)));
    socket.once('error', failed).once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}

function failureFor(error: unknown): unknown {
  if ([OutboundRefused, OutboundTimeout, OutboundFailed].some((kind) => error instanceof kind)) return error;
  if (error instanceof errors.InvalidArgumentError) return new OutboundRefused(error.message);
  const { code } = error as { code?: string };
  return new (LOST.has(code ?? '') ? OutboundLost : OutboundFailed)(reasonOf(error));
}

/** Codes of errors of a connection that was open. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new OutboundTimeout(`no connection in ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
