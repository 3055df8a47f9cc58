import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { ReplyMeter } from './reply-meter.js';

/** We gave up on a server that is too slow or sends too much. */
export class SmtpLimitExceeded extends Error {}

/** The parts of nodemailer's connection that it does not declare. */
interface Internals {
  _onData(chunk: Buffer): void;
  _responseQueue: string[];
  _supportedExtensions: string[];
}

const PIPELINING = 'PIPELINING';

/**
 * nodemailer's connection, with a limit on what the server may send. nodemailer queues every empty line and handles one per turn
 * of the event loop, even after the connection was closed: 8 MB of line feeds freeze the process for minutes. Each chunk is
 * counted before nodemailer parses it. After STARTTLS this is the decrypted text, so its lines are counted too.
 */
export class BoundedConnection extends SMTPConnection {
  /** When the first bytes came since `expectReply`; 0 before. */
  firstReplyAt = 0;
  private readonly meter = new ReplyMeter();
  private readonly internals = this as unknown as Internals;
  private isPipeliningHidden = false;

  constructor(options: SMTPConnection.Options) {
    super(options);
    // On the object, because the class does not declare the method. Throws if a later nodemailer has no such method.
    const parse = this.internals._onData.bind(this);
    this.internals._onData = (chunk) => {
      if (this.firstReplyAt === 0) this.firstReplyAt = performance.now();
      const excess = this.meter.excess(chunk);
      if (excess === null) return parse(chunk);
      this.fail(new SmtpLimitExceeded(`the mail server sent more than ${excess}`));
    };
  }

  expectReply(): void {
    this.firstReplyAt = 0;
  }

  /** Whether the next message sends its commands together, if the server allows that. */
  usePipelining(use: boolean): void {
    const extensions = this.internals._supportedExtensions;
    if (use && this.isPipeliningHidden) extensions.push(PIPELINING);
    else if (!use && extensions.includes(PIPELINING)) extensions.splice(extensions.indexOf(PIPELINING), 1);
    else return;
    this.isPipeliningHidden = !use;
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
    this.quit();
    this.close();
    // nodemailer would read and discard whatever the server still sends.
    if (socket) socket.once('data', () => socket.destroy());
  }
}
