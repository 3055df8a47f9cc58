import type { Envelope, SmtpFailure, SmtpSession } from './smtp-session.js';

export interface PoolLimits {
  connections: number;
  messagesPerConnection: number;
  idleMs: number;
}

// How long to make do with the connections that a server has taken after it took no more.
const CROWDED_MS = 10_000;

export const POOL_LIMITS: PoolLimits = { connections: 10, messagesPerConnection: 100, idleMs: 30_000 };

interface Waiter {
  resolve(session: SmtpSession): void;
  reject(error: unknown): void;
}

/** A few kept-open connections to one server. Opening one costs several round trips, a message on it about three. */
export class SmtpPool {
  private readonly all = new Set<SmtpSession>();
  /** The last used is used next, so that what is not needed grows old. */
  private readonly idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  private readonly waiting: Waiter[] = [];
  private opening = 0;
  private growsAt = 0;
  private closed = false;

  constructor(
    private readonly open: () => Promise<SmtpSession>,
    private readonly limits: PoolLimits = POOL_LIMITS,
    /** Nothing is open and nobody waits. */
    private readonly onEmpty: () => void = () => {},
  ) {}

  /** The server's reply to the message. */
  async send(envelope: Envelope, content: string): Promise<string> {
    const session = await this.take();
    const mayBeStale = session.sent > 0 || session.hasRested;
    try {
      return await this.sendOver(session, envelope, content);
    } catch (error) {
      // Before the server asked for the content it cannot have taken the message; after that, who knows.
      const isStale = !session.isOpen && !(error as SmtpFailure).contentBegun;
      if (!mayBeStale || !isStale) throw error;
    }
    // The server had closed a connection that we kept. The others are as old, so they go too.
    this.dropIdle();
    return this.sendOver(await this.take(), envelope, content);
  }

  /** Lets idle connections go now and busy ones after their message. */
  close(): void {
    this.closed = true;
    this.dropIdle();
  }

  private async sendOver(session: SmtpSession, envelope: Envelope, content: string): Promise<string> {
    try {
      const reply = await session.send(envelope, content);
      this.giveBack(session);
      return reply;
    } catch (error) {
      this.recover(session);
      throw error;
    }
  }

  /** A refused recipient leaves a half-open transaction, to which the next message must not be added. */
  private recover(session: SmtpSession): void {
    if (!session.isOpen) return this.end(session);
    // Nobody waits for this: the outcome of the message is known.
    const usable = () => this.giveBack(session);
    const unusable = () => this.end(session);
    void session.reset().then(usable, unusable);
  }

  private take(): Promise<SmtpSession> {
    const kept = this.idle.pop();
    if (kept !== undefined) {
      clearTimeout(kept.timer);
      return Promise.resolve(kept.session);
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.grow();
    });
  }

  /** Opens a connection for the next in line, unless enough are on their way. */
  private grow(): void {
    const isFull = this.all.size + this.opening >= this.limits.connections;
    const isCrowded = this.all.size > 0 && Date.now() < this.growsAt;
    if (isFull || isCrowded || this.waiting.length <= this.opening) return;
    this.opening += 1;
    void this.open().then(
      (session) => {
        this.opening -= 1;
        this.all.add(session);
        session.onEnd(() => this.end(session));
        this.giveBack(session);
      },
      (error: unknown) => {
        this.opening -= 1;
        this.growsAt = Date.now() + CROWDED_MS;
        if (this.all.size > 0 || this.opening > 0) return;
        // A server that is down costs one time-out for all who wait, not one for each.
        for (const waiter of this.waiting.splice(0)) waiter.reject(error);
        this.checkEmpty();
      },
    );
  }

  private giveBack(session: SmtpSession): void {
    const isSpent = this.closed && this.waiting.length === 0;
    if (isSpent || !session.isOpen || session.sent >= this.limits.messagesPerConnection) return this.end(session);
    const next = this.waiting.shift();
    if (next !== undefined) return next.resolve(session);
    session.hasRested = true;
    const timer = setTimeout(() => this.end(session), this.limits.idleMs);
    this.idle.push({ session, timer });
  }

  /** Forgets a connection, which may have ended by itself, and makes room for another. */
  private end(session: SmtpSession): void {
    if (!this.all.delete(session)) return;
    const at = this.idle.findIndex((kept) => kept.session === session);
    if (at >= 0) clearTimeout(this.idle.splice(at, 1)[0]?.timer);
    session.close();
    this.grow();
    this.checkEmpty();
  }

  /** A moment later, for whoever empties the pool may be about to use it. */
  private checkEmpty(): void {
    setImmediate(() => {
      if (this.all.size + this.opening + this.waiting.length === 0) this.onEmpty();
    });
  }

  private dropIdle(): void {
    for (const { session } of [...this.idle]) this.end(session);
  }
}
