import type { Readable, Writable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Outbound } from '../outbound/outbound.js';
import { BoundedConnection, SmtpLimitExceeded } from './bounded-connection.js';
import { lengthOfPieces } from './file/compose-with-files.js';
import type { MailPieces } from './file/compose-with-files.js';
import { Pipelining } from './pipelining.js';
import type { SmtpSettings } from './smtp-settings.js';

export interface Envelope {
  from: string;
  to: string;
}

/** The error of a message that failed. */
export interface SmtpFailure extends Error {
  /** The server's reply, when there was one. */
  response?: string;
  responseCode?: number;
  /** nodemailer's error code: EAUTH, ETLS, EENVELOPE, ... */
  code?: string;
  /** The command that failed: MAIL FROM, RCPT TO, DATA, ... */
  command?: string;
  /** Whether the server had asked for the content. Before that, the server cannot have accepted the message. */
  contentBegun?: boolean;
}

/** How long a server may take. A server that sends a byte now and then gets no more time than a silent one. */
export interface SmtpDeadlines {
  /** To look up the name and to connect. */
  connectMs: number;
  /** From the greeting to the end of the login. */
  openMs: number;
  /** To answer the commands of one message, until it asks for the content. */
  commandsMs: number;
  /** To take the content and to answer it. */
  contentMs: number;
}

export const SMTP_DEADLINES: SmtpDeadlines = {
  connectMs: 10_000,
  openMs: 30_000,
  commandsMs: 60_000,
  // Some servers scan a message for a long time before they answer. Giving up earlier would send the message twice.
  contentMs: 120_000,
};

interface SessionOptions {
  outbound: Outbound;
  settings: SmtpSettings;
  /** The slug of the organization that sends. */
  organization: string;
  deadlines: SmtpDeadlines;
  pipelining: Pipelining;
}

/**
 * One open, greeted and logged-in SMTP connection. It sends one message at a time.
 *
 * Not nodemailer's own pool: while it sends a message, its only timeout is one for silence, so a server that sends a byte
 * now and then holds a message for as long as it likes, and it cannot stop a server that sends without end
 * (`BoundedConnection`). Here every step has a deadline, and `Pipelining` decides for each server whether commands go out
 * together: to a server that stalls, mail then goes out seven times as fast.
 */
export class SmtpSession {
  /** The number of messages sent on it. */
  sent = 0;
  /** Whether the connection has been idle: the server may have closed it since. */
  wasIdle = false;
  readonly openedAt = performance.now();

  private constructor(
    private readonly connection: BoundedConnection,
    private readonly deadlines: SmtpDeadlines,
    private readonly pipelining: Pipelining,
  ) {}

  static async open(options: SessionOptions): Promise<SmtpSession> {
    const { outbound, settings, deadlines, organization, pipelining } = options;
    const { connectMs, openMs } = deadlines;
    const socket = await outbound.connect(settings.host, settings.port, { timeoutMs: connectMs, organization });
    const connection = new BoundedConnection({ ...optionsOf(settings, deadlines), connection: socket });
    // An 'error' without a listener ends the process. Each step below handles the error itself.
    connection.on('error', () => {});
    const deadline = deadlineFor(connection, openMs, 'did not complete the greeting and the login');
    try {
      await step(connection, (done) => connection.connect(done));
      const { username, password } = settings;
      if (username !== '') {
        await step(connection, (done) => connection.login({ user: username, pass: password }, done));
      }
      return new SmtpSession(connection, deadlines, pipelining);
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
  }

  get isOpen(): boolean {
    return !this.connection.destroyed;
  }

  /** Calls back when the connection ends for any reason. */
  onEnd(ended: () => void): void {
    this.connection.once('end', ended);
  }

  /** Sends a message and returns the server's reply. */
  async send(envelope: Envelope, content: string | MailPieces): Promise<string> {
    const { commandsMs, contentMs } = this.deadlines;
    const size = typeof content === 'string' ? Buffer.byteLength(content) : lengthOfPieces(content);
    const mostMs = contentMs + (typeof content === 'string' ? 0 : Math.ceil(size / SLOWEST / 1000) * 1000);
    let contentBegun = false;
    let deadline = deadlineFor(this.connection, commandsMs, 'did not answer the commands of the message');
    const repliesCame = this.watchReplies();
    // An object with the `pipe` of a stream: nodemailer calls it only once the server has asked for the content.
    const pipe = (stream: Writable) => {
      contentBegun = true;
      repliesCame();
      clearTimeout(deadline);
      deadline = deadlineFor(this.connection, mostMs, 'did not accept the content of the message');
      if (typeof content === 'string') this.corked(() => stream.end(content));
      else writePieces(stream, content);
    };
    this.sent += 1;
    try {
      const { from, to } = envelope;
      const info = await step<SMTPConnection.SentMessageInfo>(this.connection, (done) =>
        this.connection.send({ from, to: [to], size }, { pipe } as unknown as Readable, done),
      );
      return info.response;
    } catch (error) {
      throw Object.assign(error as SmtpFailure, { contentBegun });
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Measures how the replies to pipelined commands come. Call the returned function when all have come. */
  private watchReplies(): () => void {
    const { connection, pipelining } = this;
    const sentAt = performance.now();
    const pipelined = pipelining.isUseful(sentAt);
    connection.usePipelining(pipelined);
    connection.expectReply();
    return () => {
      const now = performance.now();
      const firstAt = connection.firstReplyAt;
      if (pipelined) pipelining.note({ firstMs: firstAt - sentAt, restMs: now - firstAt }, now);
    };
  }

  /**
   * Sends everything that `write` writes in one packet. nodemailer writes the end of a message separately, which is a third of the
   * cost of a message. nodemailer declares `_socket` as public. Corking the socket that we pass in is not enough: after STARTTLS
   * nodemailer writes to a TLS socket of its own. Without a cork on that socket, a fifth fewer messages are sent per second.
   */
  private corked(write: () => void): void {
    const socket = this.connection._socket || null;
    socket?.cork();
    write();
    setImmediate(() => socket?.uncork());
  }

  /** Prepares the session for the next message after a refused one. */
  async reset(): Promise<void> {
    const deadline = deadlineFor(this.connection, this.deadlines.commandsMs, 'did not answer RSET');
    await step(this.connection, (done) => this.connection.reset(done)).finally(() => clearTimeout(deadline));
  }

  /** Sends QUIT and does not wait for the answer. */
  close(): void {
    this.connection.leave();
  }
}

/** Bytes a millisecond of the slowest server that a large mail waits for. */
const SLOWEST = 64;

/** How much of a file is handed to the connection at once. */
const SLICE_BYTES = 64 * 1024;

function* slicesOf(pieces: MailPieces): Generator<string | Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield piece;
    else for (let at = 0; at < piece.length; at += SLICE_BYTES) yield piece.subarray(at, at + SLICE_BYTES);
  }
}

/** Writes a mail as fast as the server takes it. If the connection ends, nothing more is written, and nothing waits for it. */
function writePieces(stream: Writable, pieces: MailPieces): void {
  const slices = slicesOf(pieces);
  const write = () => {
    for (;;) {
      const { value, done } = slices.next();
      if (done) return void stream.end();
      if (!stream.write(value)) return void stream.once('drain', write);
    }
  };
  write();
}

function optionsOf(
  { host, port, security, username, allowSelfSigned, ca, heloName }: SmtpSettings,
  { connectMs, commandsMs, contentMs }: SmtpDeadlines,
): SMTPConnection.Options {
  return {
    host,
    port,
    secure: security === 'tls',
    ignoreTLS: security === 'none',
    // A password is sent unencrypted only when the channel's security is `none`.
    requireTLS: security === 'starttls' || (security === 'opportunistic' && username !== ''),
    tls: { rejectUnauthorized: !allowSelfSigned, ...(ca === '' ? {} : { ca }) },
    name: heloName,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    // Our own deadlines are stricter: this one starts again with every byte.
    socketTimeout: commandsMs + contentMs,
  };
}

/** Ends the connection unless the timer is cleared in time. */
function deadlineFor(connection: BoundedConnection, ms: number, whatFailed: string): NodeJS.Timeout {
  return setTimeout(() => {
    connection.fail(new SmtpLimitExceeded(`the mail server ${whatFailed} in ${ms / 1000} s`));
  }, ms);
}

type Done<T> = (error?: Error | null, value?: T) => void;

/** Runs one exchange with the server. If the connection ends, nodemailer may never call back, so the end counts as a failure. */
function step<T = unknown>(connection: SMTPConnection, run: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    // Delayed by one setImmediate: if nodemailer still calls back, its error says more than this one.
    const ended = () => setImmediate(() => settle(new Error('the connection was closed')));
    const settle: Done<T> = (error, value) => {
      connection.off('end', ended).off('error', settle);
      if (error) reject(error);
      else resolve(value as T);
    };
    connection.once('end', ended).once('error', settle);
    run(settle);
  });
}
