import type { LookupFunction, Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector } from 'undici';

/** How to connect: which addresses to use, and how long to wait. */
interface ConnectOptions {
  timeout: number;
  lookup: LookupFunction;
  autoSelectFamily: true;
}

interface Agents {
  /** Keeps connections open. It honours `Keep-Alive: timeout=`, and closes a connection that was idle for 4 s. */
  kept: Agent;
  /** Opens a new connection for each request. */
  fresh: Agent;
}

/** The HTTP connections, of each certificate authority apart: a connection is trusted because of one of them. */
export class HttpAgents {
  private readonly byCa = new LRUCache<string, Agents>({ max: 100, dispose: (agents) => void closeAll(agents) });
  private readonly usual = this.open();
  /** The number of open connections to each host. */
  private readonly connected = new Map<string, number>();
  /** When the connection was opened that ended with this error. */
  private readonly openedAt = new WeakMap<object, number>();

  constructor(private readonly optionsFor: (host: string) => Promise<ConnectOptions>) {}

  /** `ca`: certificates in PEM format that replace those of the public authorities. */
  of(ca = ''): Agents {
    if (ca === '') return this.usual;
    const known = this.byCa.get(ca) ?? this.open(ca);
    this.byCa.set(ca, known);
    return known;
  }

  isConnected(host: string): boolean {
    return this.connected.has(host);
  }

  /** Whether a request failed because the receiver closed a connection that was open before the request began. */
  wasReused(error: unknown, requestStartedAt: number): boolean {
    const openedAt = this.openedAt.get(error as object);
    return openedAt !== undefined && openedAt < requestStartedAt;
  }

  /** Closes idle connections, and busy ones once their requests are done. */
  async close(): Promise<void> {
    await Promise.all([this.usual, ...this.byCa.values()].map(closeAll));
  }

  private open(ca?: string): Agents {
    // No limit on connections to one origin: the callers limit the requests in flight. With a limit, requests would wait for a
    // connection until they time out. Slow channels would then fail the messages of other channels to the same provider.
    const connections = undefined;
    // A connect function instead of a `lookup`: undici calls a lookup for names only, never for literal addresses.
    const connect: buildConnector.connector = (target, done) => void this.connect(target, ca, done);
    return { kept: new Agent({ connections, connect }), fresh: new Agent({ connections, connect, pipelining: 0 }) };
  }

  private async connect(
    target: buildConnector.Options,
    ca: string | undefined,
    done: buildConnector.Callback,
  ): Promise<void> {
    try {
      const options = { ...(await this.optionsFor(target.hostname)), ...(ca === undefined ? {} : { ca }) };
      buildConnector(options)(target, (...result) => {
        if (result[1]) this.watch(target.hostname, result[1]);
        done(...result);
      });
    } catch (error) {
      done(error as Error, null);
    }
  }

  private watch(host: string, socket: Socket): void {
    const openedAt = performance.now();
    this.connected.set(host, (this.connected.get(host) ?? 0) + 1);
    // undici fails the request with the same error.
    socket.once('error', (error) => this.openedAt.set(error, openedAt));
    socket.once('close', () => {
      const left = (this.connected.get(host) ?? 1) - 1;
      if (left > 0) this.connected.set(host, left);
      else this.connected.delete(host);
    });
  }
}

async function closeAll({ kept, fresh }: Agents): Promise<void> {
  await Promise.all([kept.close(), fresh.close()]);
}
