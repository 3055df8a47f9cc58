import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector, errors } from 'undici';
import { parseSubnet } from '../../field/subnet.js';
import type { Subnet } from '../../field/subnet.js';
import { AnswerReader, type HttpAnswer } from '../answer/http-answer.js';
import { Names } from './names/names.js';
import type { Resolved } from './names/resolved.js';
import { plainHost, plainUrl, refusal } from './outbound-address.js';
import { OutboundFailed, OutboundRefused, OutboundTimeout, reasonOf } from './outbound-error.js';

/** Looks up every address of a name for an organization. */
export type Resolver = (name: string, organization?: string) => Promise<Resolved[]>;

export interface OutboundOptions {
  /** Addresses and subnets that may be called although they are special. */
  allow?: readonly string[];
  /** Name servers as `address:port`; those of the system when not given. */
  servers?: readonly string[];
  /** Replaces the look-up of names. */
  resolver?: Resolver;
}

export interface Post {
  headers?: Record<string, string>;
  body: string | Uint8Array;
  timeoutMs?: number;
  /** The slug of the organization that sends, when it chose the host: it has a limited number of look-ups under way. */
  organization?: string;
}

export interface Connect {
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

/**
 * Makes every outgoing connection. Customers choose the hosts, so each is checked before anything is sent: private,
 * loopback, link-local, metadata and other special addresses are refused unless the operator's allow-list has them. A name
 * is resolved once, all its addresses must pass, and the connection uses only those.
 */
export class Outbound {
  private readonly allow: readonly Subnet[];
  private readonly names: Names;
  private readonly resolver: Resolver;
  private readonly agent: Agent;
  private readonly targets = new LRUCache<string, Target>({ max: 1000 });
  /** The number of open HTTP connections to each host. */
  private readonly connected = new Map<string, number>();

  constructor(options: OutboundOptions = {}) {
    this.names = new Names({ servers: options.servers });
    this.allow = (options.allow ?? []).map(parseSubnet);
    this.resolver = options.resolver ?? ((name, organization) => this.names.resolve(name, organization));
    this.agent = new Agent({
      // No limit on connections to one origin: the callers limit the requests in flight. With a limit, requests would wait for a
      // connection until they time out. Slow channels would then fail the messages of other channels to the same provider.
      connections: undefined,
      // A connect function instead of a `lookup`: undici calls a lookup for names only, never for literal addresses.
      connect: (target, done) => void this.connectHttp(target, done),
    });
  }

  /** The checked address of a host name or literal address. */
  async resolve(host: string): Promise<Resolved> {
    return (await this.resolveAll(host))[0];
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

  /** Sends one POST. Any status is an answer; redirects are not followed. */
  async post(url: string, { headers = {}, body, timeoutMs = TIMEOUT_MS, organization }: Post): Promise<HttpAnswer> {
    const { origin, host, path } = this.targetOf(url);
    const reader = new AnswerReader(timeoutMs);
    try {
      // undici connects without knowing who asks. So the name is looked up here first; undici's look-up then finds it cached.
      if (!this.connected.has(host)) await Promise.race([this.resolveAll(host, organization), reader.answer]);
      this.agent.dispatch({ origin, path, method: 'POST', headers, body }, reader);
      return await reader.answer;
    } catch (error) {
      reader.fail(error as Error);
      if ([OutboundRefused, OutboundTimeout, OutboundFailed].some((kind) => error instanceof kind)) throw error;
      if (error instanceof errors.InvalidArgumentError) throw new OutboundRefused(error.message);
      throw new OutboundFailed(reasonOf(error));
    }
  }

  /** Closes idle connections, and busy ones once their requests are done. */
  close(): Promise<void> {
    this.names.close();
    return this.agent.close();
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
      // The address is left out: customers must not learn addresses inside the operator's network.
      if (range !== null) throw new OutboundRefused(`${host} is not allowed: it has a ${range} address`);
    }
    const [first, ...rest] = found;
    if (first === undefined) throw new OutboundFailed(`${host} has no address`);
    return [first, ...rest];
  }

  private async lookUp(name: string, organization: string | undefined): Promise<Resolved[]> {
    try {
      return await this.resolver(name, organization);
    } catch (error) {
      throw new OutboundFailed(`${name} cannot be resolved: ${reasonOf(error)}`);
    }
  }

  private async connectHttp(target: buildConnector.Options, done: buildConnector.Callback): Promise<void> {
    try {
      const addresses = await this.resolveAll(target.hostname);
      buildConnector({ timeout: TIMEOUT_MS, ...onlyTo(addresses) })(target, (...result) => {
        if (result[1]) this.count(target.hostname, result[1]);
        done(...result);
      });
    } catch (error) {
      done(error as Error, null);
    }
  }

  private count(host: string, socket: Socket): void {
    this.connected.set(host, (this.connected.get(host) ?? 0) + 1);
    socket.once('close', () => {
      const left = (this.connected.get(host) ?? 1) - 1;
      if (left > 0) this.connected.set(host, left);
      else this.connected.delete(host);
    });
  }
}

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
