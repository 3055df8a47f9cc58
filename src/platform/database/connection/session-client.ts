// Not those of the global object: a test that stops these timers would leave all later connections of the process without a deadline.
import { clearInterval, setInterval } from 'node:timers';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { KINDS, LONG_ANSWER_MS, LONG_STATEMENTS, settingsOf } from './kinds.js';
import type { Kind } from './kinds.js';
import { ConnectionGivenUp, socketsOf } from './sockets.js';
import type { Sockets } from './sockets.js';

// Counted in ticks, not in time: a process that gets no CPU, or was stopped, hears nothing either.
const TICK_MS = 250;

/** How long the goodbye to PostgreSQL may take. */
const END_MS = 2000;

interface SessionConfig extends ClientConfig {
  connectionString: string;
  kind: Kind;
  /** More `set` statements for the session. */
  settings?: string;
}

/** PostgreSQL did not answer a statement in time. Whether the statement has run is unknown. */
export class AnswerOverdue extends ConnectionGivenUp {
  constructor(seconds: number, statement: string) {
    super(`no answer for ${seconds} s to: ${statement.trim().replace(/\s+/g, ' ').slice(0, 80)}`);
  }
}

let mostMs = Infinity;

/** For tests: no answer may take longer than this. */
export function limitAnswers(ms: number): void {
  mostMs = ms;
}

/**
 * A connection to PostgreSQL with a deadline for each answer. After it the connection is destroyed, and never used again: a late answer
 * would be taken for that of the next statement. One timer looks at all connections, so a statement costs two assignments.
 */
export class SessionClient extends Client {
  private readonly sockets: Sockets;
  private ticks = 0;
  private isBusy = false;
  private isEnding = false;
  private isLong = false;
  private isUnhurried = false;
  private statement = '';

  constructor(private readonly config: SessionConfig) {
    super(config);
    this.sockets = socketsOf(config.connectionString);
    this.connection.once('connect', () => watch(this));
    this.connection.once('end', () => watchedClients.delete(this));
    // The next statement in the queue of the client is sent now.
    this.connection.on('readyForQuery', ({ status }: { status: string }) => {
      this.ticks = 0;
      if (status === 'I') this.isLong = false;
    });
    this.on('drain', () => (this.isBusy = false));
    this.query = this.timed();
    const end = this.end.bind(this) as (...args: unknown[]) => unknown;
    this.end = ((...args: unknown[]) => {
      [this.isEnding, this.ticks] = [true, 0];
      return end(...args);
    }) as typeof this.end;
  }

  /** Connects and sets up the session. */
  async open(): Promise<this> {
    try {
      await this.connect();
      await this.setUp();
    } catch (error) {
      this.end().catch(() => undefined);
      throw error;
    }
    return this;
  }

  /** Sent after the connection is made, because PgBouncer refuses startup parameters such as `statement_timeout`. */
  setUp(): Promise<unknown> {
    return this.query(settingsOf(this.config.kind, this.config.settings));
  }

  /** Runs statements without a deadline. The caller finds out in another way if an answer is lost, and then calls `giveUp`. */
  async unhurried<Result>(work: () => Promise<Result>): Promise<Result> {
    this.isUnhurried = true;
    try {
      return await work();
    } finally {
      this.isUnhurried = false;
    }
  }

  tick(): void {
    if (this.isEnding) {
      if (++this.ticks * TICK_MS > END_MS) this.connection.stream.destroy();
    } else if (this.isBusy && !this.isUnhurried && !this.sockets.commitsWait) {
      const limitMs = Math.min(this.isLong ? LONG_ANSWER_MS : KINDS[this.config.kind].answerMs, mostMs);
      if (++this.ticks * TICK_MS > limitMs) this.giveUp(limitMs);
    }
  }

  giveUp(limitMs: number): void {
    this.isBusy = false;
    this.connection.stream.destroy(new AnswerOverdue(limitMs / 1000, this.statement));
  }

  private timed(): typeof this.query {
    return ((...args: [string | { text: string }, ...unknown[]]) => {
      const [sent] = args;
      this.statement = typeof sent === 'string' ? sent : sent.text;
      if (this.statement === LONG_STATEMENTS) this.isLong = true;
      if (!this.isBusy) [this.isBusy, this.ticks] = [true, 0];
      return (Client.prototype.query as (...args: unknown[]) => unknown).apply(this, args);
    }) as typeof this.query;
  }
}

const watchedClients = new Set<SessionClient>();
let ticking: NodeJS.Timeout | undefined;

function watch(client: SessionClient): void {
  watchedClients.add(client);
  ticking ??= setInterval(() => {
    for (const each of watchedClients) each.tick();
    if (watchedClients.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  }, TICK_MS).unref();
}
