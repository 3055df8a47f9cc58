import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Outbound } from '../outbound/outbound.js';
import type { SmtpSettings } from './smtp-settings.js';

export interface Envelope {
  from: string;
  to: string;
}

/** How a message failed. */
export interface SmtpFailure extends Error {
  /** The server's reply, when there was one. */
  response?: string;
  responseCode?: number;
  /** nodemailer's kind: EAUTH, ETLS, EENVELOPE, ... */
  code?: string;
  /** What we had said: MAIL FROM, RCPT TO, DATA, ... */
  command?: string;
  /** Whether the server had asked for the content: before that it cannot have taken the message. */
  contentBegun?: boolean;
}

const CONNECT_MS = 10_000;
// Scanning a message before answering takes some servers long, and giving up then sends it twice.
const SILENCE_MS = 60_000;

/** One open, greeted and logged-in SMTP connection. One message at a time. */
export class SmtpSession {
  /** How many messages it has carried. */
  sent = 0;
  /** Whether it has waited for a message: the server may have ended it meanwhile. */
  hasRested = false;

  private constructor(private readonly connection: SMTPConnection) {}

  static async open(outbound: Outbound, settings: SmtpSettings): Promise<SmtpSession> {
    const socket = await outbound.connect(settings.host, settings.port, CONNECT_MS);
    const connection = new SMTPConnection({ ...optionsOf(settings), connection: socket });
    // Without a listener an 'error' ends the process; each step below hears of it in its own way.
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

  /** Calls back when the connection ends, for whatever reason. */
  onEnd(ended: () => void): void {
    this.connection.once('end', ended);
  }

  /** The server's reply to a message that it took. */
  async send(envelope: Envelope, content: string): Promise<string> {
    let contentBegun = false;
    // As a stream has it, because nodemailer pipes it only once the server has asked for the content.
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

  /** What `write` writes leaves at once: nodemailer sends the end of a message by itself, which is a third of a message's cost. */
  private corked(write: () => void): void {
    const { _socket: socket } = this.connection as unknown as { _socket?: Socket };
    socket?.cork();
    write();
    setImmediate(() => socket?.uncork());
  }

  /** Makes the session fit for another message after one that was refused. */
  async reset(): Promise<void> {
    await step(this.connection, (done) => this.connection.reset(done));
  }

  /** Says goodbye and does not wait for the answer. */
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
    // A password travels in the clear only when someone chose so.
    requireTLS: security === 'starttls' || (security === 'opportunistic' && username !== ''),
    tls: { rejectUnauthorized: !allowSelfSigned },
    name: heloName === '' ? undefined : heloName,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  };
}

type Done<T> = (error?: Error | null, value?: T) => void;

/** One exchange. nodemailer forgets its callback when the connection ends meanwhile, so the end counts as an answer. */
function step<T = unknown>(connection: SMTPConnection, run: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    // An immediate later: the callback, if it still comes, knows more than that the connection has ended.
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
