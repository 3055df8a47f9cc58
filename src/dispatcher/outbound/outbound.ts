import { lookup } from 'node:dns/promises';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector, errors } from 'undici';
import { parseSubnet } from '../../field/subnet.js';
import type { Subnet } from '../../field/subnet.js';
import { AnswerReader, type HttpAnswer } from '../answer/http-answer.js';
import { plainHost, plainUrl, refusal } from './outbound-address.js';
import { OutboundFailed, OutboundRefused, OutboundTimeout, reasonOf } from './outbound-error.js';

export interface Resolved {
  address: string;
  family: 4 | 6;
}

/** Looks up every address of a name. */
export type Resolver = (name: string) => Promise<Resolved[]>;

export interface Post {
  headers?: Record<string, string>;
  body: string | Uint8Array;
  timeoutMs?: number;
}

export interface Connect {
  timeoutMs?: number;
  /** The slug of the organization that sends. */
  organization?: string;
}

interface Target {
  origin: string;
  path: string;
}

type Addresses = readonly [Resolved, ...Resolved[]];

const TIMEOUT_MS = 10_000;
// A slow receiver holds its connections until the timeout.
const CONNECTIONS_PER_ORIGIN = 64;

/**
 * Makes every outgoing connection. Customers choose the hosts, so each is checked before anything is sent: private,
 * loopback, link-local, metadata and other special addresses are refused unless the operator's allow-list has them. A name
 * is resolved once, all its addresses must pass, and the connection uses only those.
 */
export class Outbound {
  private readonly allow: readonly Subnet[];
  private readonly resolver: Resolver;
  private readonly agent: Agent;
  private readonly targets = new LRUCache<string, Target>({ max: 1000 });

  constructor(options: { allow?: readonly string[]; resolver?: Resolver } = {}) {
    this.allow = (options.allow ?? []).map(parseSubnet);
    this.resolver = options.resolver ?? systemResolver;
    this.agent = new Agent({
      connections: CONNECTIONS_PER_ORIGIN,
      // A connect function instead of a `lookup`: undici calls a lookup for names only, never for literal addresses.
      connect: (target, done) => void this.connectHttp(target, done),
    });
  }

  /** The checked address of a host name or literal address. */
  async resolve(host: string): Promise<Resolved> {
    return (await this.resolveAll(host))[0];
  }

  /** Opens a TCP connection to a checked address of the host. */
  async connect(host: string, port: number, { timeoutMs = TIMEOUT_MS }: Connect = {}): Promise<Socket> {
    const timedOut = new AbortController();
    const opened = async (): Promise<Socket> => {
      const addresses = await this.resolveAll(host);
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

  /** Sends one POST. Any status is an answer; redirects are not followed. */
  async post(url: string, { headers = {}, body, timeoutMs = TIMEOUT_MS }: Post): Promise<HttpAnswer> {
    const { origin, path } = this.targetOf(url);
    const reader = new AnswerReader(timeoutMs);
    try {
      this.agent.dispatch({ origin, path, method: 'POST', headers, body }, reader);
      return await reader.answer;
    } catch (error) {
      if ([OutboundRefused, OutboundTimeout, OutboundFailed].some((kind) => error instanceof kind)) throw error;
      if (error instanceof errors.InvalidArgumentError) throw new OutboundRefused(error.message);
      throw new OutboundFailed(reasonOf(error));
    }
  }

  /** Closes idle connections, and busy ones once their requests are done. */
  close(): Promise<void> {
    return this.agent.close();
  }

  /** Cached, because a channel sends to the same URL again and again. */
  private targetOf(url: string): Target {
    const known = this.targets.get(url);
    if (known) return known;
    const { origin, pathname, search } = plainUrl(url);
    const target = { origin, path: pathname + search };
    this.targets.set(url, target);
    return target;
  }

  private async resolveAll(host: string): Promise<Addresses> {
    const name = plainHost(host);
    const literal = isIP(name);
    const found = literal === 0 ? await this.lookUp(name) : [{ address: name, family: literal as 4 | 6 }];
    for (const { address } of found) {
      const range = refusal(address, this.allow);
      // The address is left out: customers must not learn addresses inside the operator's network.
      if (range !== null) throw new OutboundRefused(`${host} is not allowed: it has a ${range} address`);
    }
    const [first, ...rest] = found;
    if (first === undefined) throw new OutboundFailed(`${host} has no address`);
    return [first, ...rest];
  }

  private async lookUp(name: string): Promise<Resolved[]> {
    try {
      return await this.resolver(name);
    } catch (error) {
      throw new OutboundFailed(`${name} cannot be resolved: ${reasonOf(error)}`);
    }
  }

  private async connectHttp(target: buildConnector.Options, done: buildConnector.Callback): Promise<void> {
    try {
      const addresses = await this.resolveAll(target.hostname);
      buildConnector({ timeout: TIMEOUT_MS, ...onlyTo(addresses) })(target, done);
    } catch (error) {
      done(error as Error, null);
    }
  }
}

const systemResolver: Resolver = async (name) =>
  (await lookup(name, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));

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

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new OutboundTimeout(`no connection in ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
