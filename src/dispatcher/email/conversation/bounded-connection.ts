import type { Socket } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { ReplyMeter } from './reply-meter.js';
import { ReplyReader } from './reply-reader.js';

/** We gave up on a server that is too slow or sends too much. */
export class SmtpLimitExceeded extends Error {}

/** The parts of nodemailer's connection that it does not declare. */
interface Internals {
  _onData(chunk: Buffer): void;
  _responseQueue: string[];
  _supportedExtensions: string[];
  /** 0: the server did not name one. */
  _maxAllowedSize: number;
}

/** Extensions of SMTP that we use. */
type Extension = 'PIPELINING' | 'SIZE' | 'SMTPUTF8';

/**
 * nodemailer's connection, with a limit on what the server may send. nodemailer queues every empty line and handles one per turn
 * of the event loop, even after the connection was closed: 8 MB of line feeds freeze the process for minutes. Each chunk is
 * counted before nodemailer parses it. After STARTTLS this is the decrypted text, so its lines are counted too.
 *
 * nodemailer only opens the connection: greeting, STARTTLS and login. From `readReplies` on the replies are ours.
 */
export class BoundedConnection extends SMTPConnection {
  /** When the first bytes came since `expectReply`; 0 before. */
  firstReplyAt = 0;
  private readonly meter = new ReplyMeter();
  private readonly reader = new ReplyReader();
  private replied: ((reply: string) => void) | null = null;
  private readonly internals = this as unknown as Internals;

  constructor(options: SMTPConnection.Options) {
    super(options);
    // On the object, because the class does not declare the method. Throws if a later nodemailer has no such method.
    const parse = this.internals._onData.bind(this);
    this.internals._onData = (chunk) => {
      if (this.firstReplyAt === 0) this.firstReplyAt = performance.now();
      const excess = this.meter.excess(chunk);
      if (excess !== null) return this.fail(new SmtpLimitExceeded(`the mail server sent more than ${excess}`));
      if (this.replied === null) return parse(chunk);
      for (const reply of this.reader.read(chunk)) this.replied(reply);
    };
  }

  /** Passes every reply to `replied` from now on, and none to nodemailer. */
  readReplies(replied: (reply: string) => void): void {
    this.replied = replied;
  }

  expectReply(): void {
    this.firstReplyAt = 0;
  }

  supports(extension: Extension): boolean {
    return this.internals._supportedExtensions.includes(extension);
  }

  /** The largest message that the server takes; 0: it did not say. */
  get maxSize(): number {
    return this.internals._maxAllowedSize;
  }

  /** nodemailer declares `_socket` as public. After STARTTLS it is a TLS socket of its own, and not the one that was passed in. */
  get socket(): Socket | null {
    return this._socket || null;
  }

  /** Whether something can be sent: neither side has closed. */
  get isWritable(): boolean {
    return !this.destroyed && this.socket?.writable === true;
  }

  /** Ends the connection at once. Nothing that the server sent is read any more. */
  fail(error: Error): void {
    if (this.destroyed) return;
    const socket = this._socket;
    this.emit('error', error);
    this.close();
    this.internals._responseQueue = [];
    if (socket) socket.destroy();
  }

  /** Sends QUIT. The first bytes of the answer, or five seconds, end the connection. */
  leave(): void {
    if (this.destroyed) return;
    const socket = this._socket;
    if (this.isWritable) this.quit();
    this.close();
    // nodemailer would read and discard whatever the server still sends.
    if (socket) socket.once('data', () => socket.destroy());
  }
}
