import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Outbound } from '../outbound/outbound.js';
import { BoundedConnection, SmtpLimitExceeded } from './conversation/bounded-connection.js';
import { SmtpConversation } from './conversation/smtp-conversation.js';
import { dataOf } from './conversation/smtp-data.js';
import { lengthOfPieces } from './file/compose-with-files.js';
import type { MailPieces } from './file/compose-with-files.js';
import type { Pipelining } from './pipelining.js';
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
  /** Whether its commands joined the content of another message, and may have failed because of that. */
  failedByJoining?: boolean;
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

/** The commands of a message, in the order of their replies. */
const COMMANDS = ['MAIL FROM', 'RCPT TO', 'DATA'] as const;

/**
 * One open, greeted and logged-in SMTP connection. It sends one message after the other. The commands of a message may join the content of the one
 * before: then they leave in one packet (RFC 2920).
 *
 * nodemailer opens the connection and sends nothing over it: with it a message took a third more CPU of the worker. And its only timeout is one
 * for silence, so a server that sends a byte now and then holds a message for as long as it likes. Here every step has a deadline, and
 * `Pipelining` decides for each server whether commands go out together: to a server that stalls, mail then goes out seven times as fast.
 */
export class SmtpSession {
  /** The number of messages sent on it. */
  sent = 0;
  /** Whether the connection has been idle: the server may have closed it since. */
  wasIdle = false;
  readonly openedAt = performance.now();
  private readonly conversation: SmtpConversation;

  private constructor(
    private readonly connection: BoundedConnection,
    private readonly deadlines: SmtpDeadlines,
    private readonly pipelining: Pipelining,
  ) {
    this.conversation = new SmtpConversation(connection);
  }

  static async open(options: SessionOptions): Promise<SmtpSession> {
    const { outbound, settings, deadlines, organization, pipelining } = options;
    const { connectMs, openMs } = deadlines;
    const socket = await outbound.connect(settings.host, settings.port, { timeoutMs: connectMs, organization });
    const connection = new BoundedConnection({ ...optionsOf(settings, deadlines), connection: socket });
    // An 'error' without a listener ends the process. Each step below handles the error itself.
    connection.on('error', () => {});
    const deadline = setTimeout(() => {
      connection.fail(
        new SmtpLimitExceeded(`the mail server did not complete the greeting and the login in ${openMs / 1000} s`),
      );
    }, openMs);
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
    return this.connection.isWritable;
  }

  /** Calls back when the connection ends for any reason. */
  onEnd(ended: () => void): void {
    this.connection.once('end', ended);
  }

  /** Sends a message and returns the server's reply. Calls `mayJoin` at the moment when the next message may join this one. */
  async send(envelope: Envelope, content: string | MailPieces, mayJoin: () => void): Promise<string> {
    const isJoined = this.conversation.isWaiting;
    this.sent += 1;
    try {
      await this.announce(envelope, content, isJoined);
      const reply = this.sendContent(content);
      // A mail with files takes its time: the next message had better use another connection.
      if (typeof content === 'string' && this.pipelines() && this.pipelining.mayJoin(performance.now())) mayJoin();
      return this.checked(await reply, 'DATA', { contentBegun: true });
    } finally {
      this.conversation.rest();
    }
  }

  /** Sends MAIL, RCPT and DATA. Throws unless the server asks for the content. */
  private async announce({ from, to }: Envelope, content: string | MailPieces, isJoined: boolean): Promise<void> {
    const commands = [`MAIL FROM:<${from}>${this.parameters(from + to, content)}`, `RCPT TO:<${to}>`, 'DATA'];
    const replies = await (this.pipelines() ? this.askTogether(commands) : this.askInTurn(commands));
    const at = replies.findIndex(isRefusal);
    if (at < 0) return;
    // The connection ended, or the server did not expect a command yet. A server that says that it closes the connection (421) does not mind.
    const failedByJoining = isJoined && (replies[at] === null || (at === 0 && !isClosing(replies[at]!)));
    if (failedByJoining) this.pipelining.noteJoiningFailed(performance.now());
    if (at < 2 && replies.length > 2 && !isRefusal(replies[2]!, 2)) await this.endEmptyMail(at);
    this.checked(replies[at]!, COMMANDS[at]!, { failedByJoining });
  }

  /** Sends commands in one packet. */
  private async askTogether(commands: string[]): Promise<(string | null)[]> {
    const { conversation, connection, pipelining } = this;
    const sentAt = performance.now();
    connection.expectReply();
    const replies = await Promise.all(
      commands.map((command, i) => conversation.ask(`${command}\r\n`, i === 0 ? this.commandsDeadline : undefined)),
    );
    const now = performance.now();
    const firstAt = connection.firstReplyAt;
    if (!replies.some(isRefusal)) pipelining.note({ firstMs: firstAt - sentAt, restMs: now - firstAt }, now);
    return replies;
  }

  /** Sends each command after the reply to the one before, until one is refused. */
  private async askInTurn(commands: string[]): Promise<(string | null)[]> {
    const replies: (string | null)[] = [];
    for (const [i, command] of commands.entries()) {
      const reply = await this.conversation.ask(`${command}\r\n`, i === 0 ? this.commandsDeadline : undefined);
      replies.push(reply);
      if (isRefusal(reply, i)) break;
    }
    return replies;
  }

  private sendContent(content: string | MailPieces): Promise<string | null> {
    const missed = 'did not accept the content of the message';
    const ms = this.deadlines.contentMs;
    if (typeof content === 'string') return this.conversation.ask(dataOf(content), { ms, missed });
    const more = Math.ceil(lengthOfPieces(content) / SLOWEST / 1000) * 1000;
    return this.conversation.askWithPieces(content, { ms: ms + more, missed });
  }

  /** What MAIL says about the message. */
  private parameters(addresses: string, content: string | MailPieces): string {
    const { connection } = this;
    if (/[\r\n<>]/.test(addresses)) throw failure('the envelope has a wrong address', { code: 'EENVELOPE' });
    // eslint-disable-next-line no-control-regex
    const utf8 = connection.supports('SMTPUTF8') && /[^\0-\x7f]/.test(addresses) ? ' SMTPUTF8' : '';
    if (!connection.supports('SIZE')) return utf8;
    const size = typeof content === 'string' ? Buffer.byteLength(content) : lengthOfPieces(content);
    const { maxSize } = connection;
    if (maxSize === 0 || size <= maxSize) return `${utf8} SIZE=${size}`;
    throw failure(`the mail has ${size} bytes, and the mail server takes at most ${maxSize}`, { code: 'EMESSAGE' });
  }

  /** Ends a mail whose sender or recipient the server refused, although it asks for the content. */
  private async endEmptyMail(refused: number): Promise<void> {
    // Nobody knows what a server does with a mail without a sender.
    if (refused === 0) this.connection.close();
    else await this.conversation.ask('.\r\n', this.commandsDeadline);
  }

  /** Returns a good reply. Throws the reason of the failure for any other. */
  private checked(reply: string | null, command: string, more: Partial<SmtpFailure>): string {
    // Of its own for each message: two may fail because the connection ended.
    if (reply === null) throw Object.assign(Object.create(this.conversation.failure) as SmtpFailure, more);
    if (!isRefusal(reply)) return reply;
    const code = /^\d{3}/.exec(reply)?.[0];
    const responseCode = code === undefined ? undefined : Number(code);
    throw failure(reply, { response: reply, responseCode, command, ...more });
  }

  /** Whether commands leave together. */
  private pipelines(): boolean {
    return this.connection.supports('PIPELINING') && this.pipelining.isUseful(performance.now());
  }

  private get commandsDeadline() {
    return { ms: this.deadlines.commandsMs, missed: 'did not answer the commands of the message' };
  }

  /** Prepares the session for the next message after a refused one. */
  async reset(): Promise<void> {
    const reply = await this.conversation.ask('RSET\r\n', {
      ms: this.deadlines.commandsMs,
      missed: 'did not answer RSET',
    });
    this.conversation.rest();
    this.checked(reply, 'RSET', {});
  }

  /** Sends QUIT and does not wait for the answer. */
  close(): void {
    this.connection.leave();
  }
}

/** Whether a reply does not let the message go on. `command`: the place of its command; only DATA is answered with 3xx. */
const isRefusal = (reply: string | null, command = 0): boolean =>
  reply === null || !(command === 2 ? /^[23]/ : /^2/).test(reply);

const isClosing = (reply: string): boolean => /^421[ -]/.test(reply);

const failure = (problem: string, more: Partial<SmtpFailure>): SmtpFailure => Object.assign(new Error(problem), more);

/** Bytes a millisecond of the slowest server that a large mail waits for. */
const SLOWEST = 64;

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
