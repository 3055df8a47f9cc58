import type { Readable, Writable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Outbound } from '../outbound/outbound.js';
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

const CONNECT_MS = 10_000;
// Some servers scan a message for a long time before they answer. Giving up earlier would send the message twice.
const IDLE_SOCKET_MS = 60_000;

/** One open, greeted and logged-in SMTP connection. It sends one message at a time. */
export class SmtpSession {
  /** The number of messages sent on it. */
  sent = 0;
  /** Whether the connection has been idle: the server may have closed it since. */
  wasIdle = false;

  private constructor(private readonly connection: SMTPConnection) {}

  static async open(outbound: Outbound, settings: SmtpSettings): Promise<SmtpSession> {
    const socket = await outbound.connect(settings.host, settings.port, CONNECT_MS);
    const connection = new SMTPConnection({ ...optionsOf(settings), connection: socket });
    // An 'error' without a listener ends the process. Each step below handles the error itself.
    connection.on('error', () => {});
    try {
      await step(connection, (done) => connection.connect(done));
      const { username, password } = settings;
      if (username !== '') {
        await step(connection, (done) => connection.login({ user: username, pass: password }, done));
      }
      return new SmtpSession(connection);
    } catch (error) {
      connection.close();
      throw error;
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
  async send(envelope: Envelope, content: string): Promise<string> {
    let contentBegun = false;
    // An object with the `pipe` of a stream: nodemailer calls it only once the server has asked for the content.
    const pipe = (stream: Writable) => {
      contentBegun = true;
      this.corked(() => stream.end(content));
    };
    this.sent += 1;
    try {
      const size = Buffer.byteLength(content);
      const { from, to } = envelope;
      const info = await step<SMTPConnection.SentMessageInfo>(this.connection, (done) =>
        this.connection.send({ from, to: [to], size }, { pipe } as unknown as Readable, done),
      );
      return info.response;
    } catch (error) {
      throw Object.assign(error as SmtpFailure, { contentBegun });
    }
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
    await step(this.connection, (done) => this.connection.reset(done));
  }

  /** Sends QUIT and does not wait for the answer. */
  close(): void {
    if (!this.isOpen) return;
    this.connection.quit();
    this.connection.close();
  }
}

function optionsOf({
  host,
  port,
  security,
  username,
  allowSelfSigned,
  heloName,
}: SmtpSettings): SMTPConnection.Options {
  return {
    host,
    port,
    secure: security === 'tls',
    ignoreTLS: security === 'none',
    // A password is sent unencrypted only when the channel's security is `none`.
    requireTLS: security === 'starttls' || (security === 'opportunistic' && username !== ''),
    tls: { rejectUnauthorized: !allowSelfSigned },
    name: heloName === '' ? undefined : heloName,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_SOCKET_MS,
  };
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
