import { SmtpLimitExceeded } from './conversation/bounded-connection.js';
import type { MailPieces } from './file/compose-with-files.js';
import type { Envelope, SmtpFailure, SmtpSession } from './smtp-session.js';

export interface PoolLimits {
  connections: number;
  messagesPerConnection: number;
  /** The age at which a connection is replaced. */
  ageMs: number;
  idleMs: number;
  /** How long a message waits for a connection. */
  waitMs: number;
}

// After a server refused a connection, the pool opens no more connections for this time.
const REFUSED_CONNECTION_MS = 10_000;

export const POOL_LIMITS: PoolLimits = {
  connections: 10,
  messagesPerConnection: 100,
  ageMs: 5 * 60_000,
  idleMs: 30_000,
  waitMs: 120_000,
};

interface Waiter {
  resolve(session: SmtpSession): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

/** Keeps a few connections to one server open. Opening a connection costs several round trips; sending a message costs one or two. */
export class SmtpPool {
  private readonly all = new Set<SmtpSession>();
  /** The last used connection is used next, so that surplus connections reach their idle limit. */
  private readonly idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  private readonly waiting: Waiter[] = [];
  private opening = 0;
  private mayGrowAt = 0;
  private closed = false;

  constructor(
    private readonly open: () => Promise<SmtpSession>,
    private readonly limits: PoolLimits = POOL_LIMITS,
    /** Called when no connection is open and no message waits. */
    private readonly onEmpty: () => void = () => {},
  ) {}

  /** Sends a message and returns the server's reply. */
  async send(envelope: Envelope, content: string | MailPieces): Promise<string> {
    const session = await this.take();
    const mayBeStale = session.sent > 0 || session.wasIdle;
    try {
      return await this.sendOver(session, envelope, content);
    } catch (error) {
      const { contentBegun, failedByJoining } = error as SmtpFailure;
      // Before the server asks for the content, it cannot have accepted the message. After that, it may have accepted it.
      const isStale = !session.isOpen && !contentBegun && !(error instanceof SmtpLimitExceeded);
      // If it failed by joining another message: for the next minutes none does that.
      if (!failedByJoining && !(mayBeStale && isStale)) throw error;
    }
    // The server had closed an idle connection. The other idle connections are at least as old, so they are closed too.
    if (!session.isOpen) this.dropIdle();
    return this.sendOver(await this.take(), envelope, content);
  }

  /** Closes idle connections now and busy ones after their message. */
  close(): void {
    this.closed = true;
    this.dropIdle();
  }

  private async sendOver(session: SmtpSession, envelope: Envelope, content: string | MailPieces): Promise<string> {
    let hasNext = false;
    const mayJoin = () => void (hasNext = this.handOver(session));
    try {
      const reply = await session.send(envelope, content, mayJoin);
      if (!hasNext) this.giveBack(session);
      return reply;
    } catch (error) {
      // The next message is on its way. Its commands begin a new transaction.
      if (!hasNext || !session.isOpen) this.recover(session);
      throw error;
    }
  }

  /** A refused recipient leaves an open transaction. It is reset so that the next message is not added to it. */
  private recover(session: SmtpSession): void {
    if (!session.isOpen) return this.end(session);
    // Not awaited: the outcome of the message is already known.
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
      const timer = setTimeout(() => this.giveUp(waiter), this.limits.waitMs);
      const waiter: Waiter = { resolve, reject, timer };
      this.waiting.push(waiter);
      this.grow();
    });
  }

  private giveUp(waiter: Waiter): void {
    this.waiting.splice(this.waiting.indexOf(waiter), 1);
    waiter.reject(
      new SmtpLimitExceeded(`no connection to the mail server became free in ${this.limits.waitMs / 1000} s`),
    );
  }

  /** Opens a connection for the next waiting message, unless enough are being opened. */
  private grow(): void {
    const isFull = this.all.size + this.opening >= this.limits.connections;
    const wasRefused = this.all.size > 0 && Date.now() < this.mayGrowAt;
    if (isFull || wasRefused || this.waiting.length <= this.opening) return;
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
        this.mayGrowAt = Date.now() + REFUSED_CONNECTION_MS;
        if (this.all.size > 0 || this.opening > 0) return;
        // A server that is down costs one timeout for all waiting messages, not one for each.
        for (const waiter of this.waiting.splice(0)) {
          clearTimeout(waiter.timer);
          waiter.reject(error);
        }
        this.checkEmpty();
      },
    );
  }

  private giveBack(session: SmtpSession): void {
    const isUnneeded = this.closed && this.waiting.length === 0;
    if (isUnneeded || !session.isOpen || this.isUsedUp(session)) return this.end(session);
    if (this.serveNext(session)) return;
    session.wasIdle = true;
    const timer = setTimeout(() => this.end(session), this.limits.idleMs);
    this.idle.push({ session, timer });
  }

  /**
   * Gives a connection to the next waiting message although the server has not answered the content of this one. Messages for which
   * connections are being opened wait for those.
   */
  private handOver(session: SmtpSession): boolean {
    return this.waiting.length > this.opening && !this.isUsedUp(session) && this.serveNext(session);
  }

  private serveNext(session: SmtpSession): boolean {
    const next = this.waiting.shift();
    if (next === undefined) return false;
    clearTimeout(next.timer);
    next.resolve(session);
    return true;
  }

  private isUsedUp({ sent, openedAt }: SmtpSession): boolean {
    return sent >= this.limits.messagesPerConnection || performance.now() - openedAt >= this.limits.ageMs;
  }

  /** Removes a connection, which may have ended by itself, and frees its slot. */
  private end(session: SmtpSession): void {
    if (!this.all.delete(session)) return;
    const at = this.idle.findIndex((kept) => kept.session === session);
    if (at >= 0) clearTimeout(this.idle.splice(at, 1)[0]?.timer);
    session.close();
    this.grow();
    this.checkEmpty();
  }

  /** Checks in the next turn of the event loop: the caller that emptied the pool may be about to use it. */
  private checkEmpty(): void {
    setImmediate(() => {
      if (this.all.size + this.opening + this.waiting.length === 0) this.onEmpty();
    });
  }

  private dropIdle(): void {
    for (const { session } of [...this.idle]) this.end(session);
  }
}
