import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { CommitGate } from '../../http/limit/commit-gate.js';
import { DATABASE_URL } from '../database.js';
import { createSession } from './open-session.js';
import type { SessionClient } from './session-client.js';
import { socketsOf } from './sockets.js';
import type { Sockets } from './sockets.js';

const PROBE_MS = 1000;
/** Short, because the sooner one of its connections is made after a failover, the sooner the service works again. */
const CONNECT_MS = 2000;

// Silence is counted in ticks, not in time: a process that gets no CPU, or was stopped, hears nothing either.
const TICK_MS = 500;
const SILENT_TICKS = 8;

/** A commit that takes longer counts as waiting for a missing standby. */
const COMMIT_MS = 3000;

// A commit waits for its standby in the state that it was given to PostgreSQL in, so `query_start` is the time of its statement.
export const PROBE = `
  select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' "isReadOnly",
    exists (
      select from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'
        and query_start < clock_timestamp() - interval '${COMMIT_MS} ms') "commitsWait"`;

interface Answer {
  isReadOnly: boolean;
  commitsWait: boolean;
}

type DatabaseProblem = 'unreachable' | 'read-only' | 'waits for a synchronous standby';

/**
 * Notices what the connections of this process cannot notice themselves, after a failover above all. One connection sends a small query
 * every second.
 *
 * - **Silence.** A server that vanishes closes no connection, and TCP waits for minutes. If nothing was received over any connection for
 *   four seconds, although the probe asked, all connections are ended: waiting queries fail, and their callers connect again.
 * - **Read-only.** The server became a standby: connections are ended, so that they reach the new primary under the same name.
 * - **Commits that do not return**, because a synchronous standby is missing: the commit gate is closed.
 */
@Injectable()
export class ConnectionWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly stopping = new AbortController();
  private readonly sockets: Sockets;
  private ticking: NodeJS.Timeout | undefined;
  private silentTicks = 0;
  private received = 0;
  private connects = 0;
  private client: SessionClient | undefined;
  /** The socket of a connection that is being opened. */
  private opening: Socket | undefined;
  private found: DatabaseProblem | null = null;
  private answeredAt = -Infinity;

  constructor(
    @Inject(DATABASE_URL) private readonly url: string,
    private readonly commits: CommitGate,
  ) {
    this.sockets = socketsOf(url);
  }

  /** Why the database is unavailable now; null: no reason is known. */
  get problem(): DatabaseProblem | null {
    return this.found;
  }

  /** Whether a probe was answered a moment ago. */
  get hasJustAnswered(): boolean {
    return performance.now() - this.answeredAt < 3 * PROBE_MS;
  }

  onApplicationBootstrap(): void {
    this.ticking = setInterval(() => this.tick(), TICK_MS).unref();
    void this.keepProbing();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.ticking);
    this.opening?.destroy();
    await this.disconnect();
  }

  private tick(): void {
    const { received } = this.sockets;
    this.silentTicks = received === this.received ? this.silentTicks + 1 : 0;
    this.received = received;
    if (this.silentTicks < SILENT_TICKS) return;
    this.silentTicks = 0;
    this.report('unreachable');
    this.sockets.endAll('the database has sent nothing for a while');
  }

  private async keepProbing(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.probe().catch(() => this.disconnect());
      await sleep(PROBE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.disconnect(); // a connection that was made while the service stopped
  }

  private async probe(): Promise<void> {
    this.client ??= await this.connect();
    const { rows } = await this.client.query<Answer>(PROBE);
    this.answeredAt = performance.now();
    const { isReadOnly, commitsWait } = rows[0]!;
    // Also after the end of it: connections may have been made to a server that is the primary no longer.
    const moved = isReadOnly !== (this.found === 'read-only');
    this.report(isReadOnly ? 'read-only' : commitsWait ? 'waits for a synchronous standby' : null);
    if (moved) this.sockets.endAll('the database is read-only, as after a failover');
    // Only a new connection can find the new primary.
    if (isReadOnly) await this.disconnect();
  }

  private async connect(): Promise<SessionClient> {
    this.stopping.signal.throwIfAborted();
    const client = createSession(this.url, { kind: 'signal', name: 'carillon watch', connectMs: CONNECT_MS });
    const socket = (this.opening = client.connection.stream as Socket);
    await client.open().finally(() => (this.opening = undefined));
    // A probe that lost its connection cannot know what became of the others.
    if (this.connects++ > 0) this.sockets.suspectAll(socket);
    return client;
  }

  private async disconnect(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await Promise.race([client?.end().catch(() => undefined), sleep(1000, undefined, { ref: false })]);
  }

  private report(problem: DatabaseProblem | null): void {
    this.sockets.commitsWait = problem === 'waits for a synchronous standby';
    if (this.sockets.commitsWait) this.commits.close();
    else this.commits.open();
    if (problem === this.found) return;
    this.found = problem;
    if (problem) this.logger.warn({ message: 'database unavailable', problem });
    else this.logger.log({ message: 'the database works again' });
  }
}
