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

/** Every address of a name. */
export type Resolver = (name: string) => Promise<Resolved[]>;

export interface Post {
  headers?: Record<string, string>;
  body: string | Uint8Array;
  timeoutMs?: number;
}

interface Target {
  origin: string;
  path: string;
}

type Addresses = readonly [Resolved, ...Resolved[]];

const TIMEOUT_MS = 10_000;
// A slow receiver holds its connections for as long as the time-out lets it.
const CONNECTIONS_PER_ORIGIN = 64;

/**
 * The one way out. Customers name the hosts that we call, so each is checked before anything is sent: no private,
 * loopback, link-local, metadata or otherwise special address unless the operator's allow-list has it. A name is
 * resolved once, all its addresses must pass, and the connection goes to those and no others.
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
      // A connect function and not a `lookup`: undici calls a lookup for names only, never for literal addresses.
      connect: (target, done) => void this.connectHttp(target, done),
    });
  }

  /** The address to connect to for a host name or literal address. */
  async resolve(host: string): Promise<Resolved> {
    return (await this.resolveAll(host))[0];
  }

  /** An open TCP connection to a checked address of the host. */
  async connect(host: string, port: number, timeoutMs = TIMEOUT_MS): Promise<Socket> {
    const givenUp = new AbortController();
    const opened = async (): Promise<Socket> => {
      const addresses = await this.resolveAll(host);
      // The name may come after we gave up, and a socket connects even with a signal that has already fired.
      givenUp.signal.throwIfAborted();
      return connected(connect({ host, port, signal: givenUp.signal, ...onlyTo(addresses) }));
    };
    try {
      return await within(timeoutMs, opened());
    } catch (error) {
      givenUp.abort();
      throw error;
    }
  }

  /** One POST. Any status is an answer; redirects are not followed. */
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

  /** Closes kept-alive connections once their requests are done. */
  close(): Promise<void> {
    return this.agent.close();
  }

  /** Channels send to one URL again and again. */
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
      // Without the address: what a name means inside the operator's network is not the customer's to know.
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

/** Tries these addresses in turn until one answers, without a second look at the name. */
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
