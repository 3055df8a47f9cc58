import { connect as connectSession, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { AnswerReader } from '../../answer/http-answer.js';
import { OutboundFailed, OutboundLost, OutboundTimeout, reasonOf } from '../outbound-error.js';

export interface Http2Limits {
  /** How often a connection is tried. */
  pingMs: number;
  /** How long the receiver may take to answer a ping, before the connection counts as dead. */
  pongMs: number;
  /** A connection is also tried when requests wait and it was silent for so long. */
  silentMs: number;
  /** How long the receiver may take to answer that ping. Their requests can then be sent again before their time is over. */
  soonMs: number;
  /** A connection that was not used for so long is closed. */
  idleMs: number;
  /** Streams at a time, unless the receiver allows fewer. */
  streams: number;
}

export const HTTP2_LIMITS: Http2Limits = {
  ...{ pingMs: 60_000, pongMs: 10_000 },
  ...{ silentMs: 2_000, soonMs: 4_000 },
  ...{ idleMs: 10 * 60_000, streams: 1000 },
};

export interface Http2Request {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

/** The connection ended before the receiver answered. The request may be sent once more, over another one. */
export class ConnectionGone extends OutboundLost {}

/** One HTTP/2 connection. It notices by itself that the receiver is leaving, or no longer there. */
export class Http2Connection {
  private readonly waiting = new Set<() => void>();
  private active = 0;
  private lastUsedAt = Date.now();
  private lastHeardAt = performance.now();
  private isLeaving = false;
  private readonly pinging: NodeJS.Timeout;
  private listening: NodeJS.Timeout | undefined;

  private constructor(
    private readonly session: ClientHttp2Session,
    private readonly limits: Http2Limits,
  ) {
    const leave = () => this.leave();
    // Node reports errors of a session here as well as to its streams. Without a listener they would end the process.
    session.on('error', leave).on('close', leave).on('goaway', leave).on('frameError', leave);
    session.on('remoteSettings', () => this.next());
    session.unref();
    this.pinging = setInterval(() => this.ping(), limits.pingMs).unref();
  }

  /** Speaks HTTP/2 over a connected socket. */
  static open(origin: string, socket: Socket, limits: Http2Limits): Promise<Http2Connection> {
    return new Promise((resolve, reject) => {
      const session = connectSession(origin, { createConnection: () => socket, settings: { enablePush: false } });
      const failed = (error?: Error) => {
        session.destroy();
        reject(new OutboundFailed(error ? reasonOf(error) : 'the connection ended before it was used'));
      };
      const ended = () => failed();
      session.on('error', failed).on('close', ended);
      // The receiver says first how many streams it allows.
      session.once('remoteSettings', () => {
        const connection = new Http2Connection(session, limits);
        session.off('error', failed).off('close', ended);
        resolve(connection);
      });
    });
  }

  /** Whether it takes new requests. */
  get isUsable(): boolean {
    return !this.isLeaving && !this.session.closed && !this.session.destroyed;
  }

  /** Sends a request as soon as a stream is free, and gives the answer to the reader. */
  async send(request: Http2Request, reader: AnswerReader): Promise<void> {
    if (!(await this.hasStream(reader))) return;
    this.active++;
    this.lastUsedAt = Date.now();
    let stream: ClientHttp2Stream;
    try {
      const { method, path, headers, body } = request;
      const length = Buffer.byteLength(body);
      stream = this.session.request({ ':method': method, ':path': path, ...headers, 'content-length': length });
      stream.end(body);
    } catch (error) {
      this.leave();
      this.release();
      return reader.fail(new ConnectionGone(reasonOf(error)));
    }
    this.read(stream, reader);
    this.listen();
    // The receiver, or whatever is between us, is gone without a word.
    await reader.answer.catch((error: unknown) => {
      if (error instanceof OutboundTimeout) this.condemn();
    });
  }

  /** Takes no more requests, and closes when those under way have ended. */
  leave(): void {
    this.isLeaving = true;
    clearInterval(this.pinging);
    this.next();
    if (!this.session.closed) this.session.close();
  }

  destroy(): void {
    this.leave();
    this.session.destroy();
  }

  private read(stream: ClientHttp2Stream, reader: AnswerReader): void {
    let reason = 'the connection ended before the answer came';
    let hasHeaders = false;
    const controller = { abort: () => stream.close(constants.NGHTTP2_CANCEL) } as never;
    reader.onRequestStart(controller);
    stream.on('response', ({ ':status': status, ...headers }) => {
      hasHeaders = true;
      this.lastHeardAt = performance.now();
      reader.onResponseStart(controller, Number(status), { ...headers });
    });
    stream.on('data', (chunk: Buffer) => {
      this.lastHeardAt = performance.now();
      reader.onResponseData(controller, chunk);
    });
    stream.on('error', (error) => (reason = reasonOf(error)));
    // A stream that breaks off ends, too: only when it is closed it is known whether its answer is complete.
    stream.on('close', () => {
      this.release();
      if (hasHeaders && stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted) return reader.onResponseEnd();
      const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      const isGone = isRefused || this.session.destroyed || this.session.closed;
      reader.onResponseError(undefined, new (isGone ? ConnectionGone : OutboundLost)(reason));
    });
  }

  /** False: the reader was told why there is none. */
  private async hasStream(reader: AnswerReader): Promise<boolean> {
    while (this.isUsable && this.active >= this.mostStreams()) {
      let wake = () => {};
      const woken = new Promise<true>((resolve) => (wake = () => resolve(true)));
      this.waiting.add(wake);
      const isWaiting = await Promise.race([woken, reader.answer.then(() => false).catch(() => false)]);
      this.waiting.delete(wake);
      if (!isWaiting) {
        this.next(); // the place may have been offered to this one
        return false;
      }
    }
    if (this.isUsable) return true;
    reader.fail(new ConnectionGone('the connection ended before the request was sent'));
    return false;
  }

  private mostStreams(): number {
    return Math.min(this.session.remoteSettings.maxConcurrentStreams ?? Infinity, this.limits.streams);
  }

  private release(): void {
    this.active--;
    this.lastUsedAt = Date.now();
    this.next();
  }

  /** Wakes as many waiting requests as there are free streams; all, if there are no more streams. */
  private next(): void {
    const free = this.isUsable ? this.mostStreams() - this.active : Infinity;
    let woken = 0;
    for (const wake of this.waiting) {
      if (woken >= free) return;
      this.waiting.delete(wake);
      wake();
      woken++;
    }
  }

  /**
   * Tries the connection while requests wait for answers and nothing comes. One that died without a word is noticed before the time of these requests is
   * over, so that they are sent over another one.
   */
  private listen(): void {
    const { silentMs, soonMs } = this.limits;
    this.listening ??= setTimeout(() => {
      this.listening = undefined;
      if (this.active === 0 || this.session.destroyed) return;
      if (performance.now() - this.lastHeardAt >= silentMs) this.ping(soonMs);
      this.listen();
    }, silentMs).unref();
  }

  /** Its other requests may still be answered, unless a ping shows that nobody is there. */
  private condemn(): void {
    this.leave();
    this.ping();
  }

  private ping(pongMs = this.limits.pongMs): void {
    if (this.active === 0 && Date.now() - this.lastUsedAt >= this.limits.idleMs) return this.leave();
    if (this.session.destroyed) return;
    const tooLate = setTimeout(() => this.destroy(), pongMs).unref();
    try {
      this.session.ping((error: Error | null) => {
        clearTimeout(tooLate);
        this.lastHeardAt = performance.now();
        if (error) this.destroy();
      });
    } catch {
      clearTimeout(tooLate);
      this.destroy();
    }
  }
}
