import { SmtpLimitExceeded } from './bounded-connection.js';
import type { BoundedConnection } from './bounded-connection.js';
import { dataOfPieces } from './smtp-data.js';
import type { MailPieces } from '../file/compose-with-files.js';

/** How long the server may take for something, and what it did not do when that time is over. */
interface ReplyDeadline {
  ms: number;
  missed: string;
}

interface AwaitedReply {
  /** Null: the connection ended. */
  came: (reply: string | null) => void;
  /** Counted from the reply before this one. Without it, the deadline of that reply goes on. */
  deadline: ReplyDeadline | undefined;
}

/**
 * Sends commands over an open connection, and matches the replies to them: a server answers in the order in which it was asked.
 *
 * What is asked in one turn of the event loop leaves in one packet: writing to a socket is the most expensive part of sending a small mail.
 */
export class SmtpConversation {
  private readonly awaited: AwaitedReply[] = [];
  private unsent = '';
  private timer: NodeJS.Timeout | undefined;
  private error: Error | null = null;

  constructor(private readonly connection: BoundedConnection) {
    connection.readReplies((reply) => this.replied(reply));
    connection.on('error', (error) => (this.error ??= error)).once('end', () => this.end(null));
    if (connection.destroyed) this.end(null);
  }

  /** Whether a reply is still to come. */
  get isWaiting(): boolean {
    return this.awaited.length > 0;
  }

  /** Why the connection ended. */
  get failure(): Error {
    return this.error ?? new Error('the mail server closed the connection');
  }

  /** Sends text and resolves with the reply to it; null: the connection ended. */
  ask(text: string, deadline?: ReplyDeadline): Promise<string | null> {
    const reply = this.reply(deadline);
    if (this.unsent === '') setImmediate(() => this.flush());
    this.unsent += text;
    return reply;
  }

  /** Sends a large mail as fast as the server takes it. If the connection ends, nothing more is written, and nothing waits for it. */
  askWithPieces(pieces: MailPieces, deadline: ReplyDeadline): Promise<string | null> {
    const reply = this.reply(deadline);
    this.flush();
    const { socket } = this.connection;
    const data = dataOfPieces(pieces);
    const write = () => {
      while (this.connection.isWritable) {
        const { value, done } = data.next();
        if (done) return;
        if (!socket!.write(value)) return void socket!.once('drain', write);
      }
    };
    write();
    return reply;
  }

  /** Ends the deadline of a message that is finished, unless the next one is already on its way. */
  rest(): void {
    if (!this.isWaiting) clearTimeout(this.timer);
  }

  private reply(deadline: ReplyDeadline | undefined): Promise<string | null> {
    if (!this.connection.isWritable) {
      this.connection.close();
      return Promise.resolve(null);
    }
    return new Promise((came) => {
      this.awaited.push({ came, deadline });
      if (this.awaited.length === 1) this.begin(deadline);
    });
  }

  private begin(deadline: ReplyDeadline | undefined): void {
    if (deadline === undefined) return;
    const { ms, missed } = deadline;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.connection.fail(new SmtpLimitExceeded(`the mail server ${missed} in ${ms / 1000} s`));
    }, ms);
  }

  private flush(): void {
    const { unsent } = this;
    this.unsent = '';
    if (unsent !== '' && this.connection.isWritable) this.connection.socket!.write(unsent);
  }

  private replied(reply: string): void {
    if (this.connection.destroyed) return;
    const isClosing = /^421[ -]/.test(reply);
    const next = this.awaited.shift();
    if (next === undefined && !isClosing) {
      return this.connection.fail(new Error(`the mail server sent a reply that nothing asked for: ${reply}`));
    }
    next?.came(reply);
    if (!isClosing) return this.begin(this.awaited[0]?.deadline);
    // It closes the connection, whatever it was asked: this is its reply to everything.
    this.end(reply);
    this.connection.close();
  }

  private end(reply: string | null): void {
    clearTimeout(this.timer);
    for (const { came } of this.awaited.splice(0)) came(reply);
  }
}
