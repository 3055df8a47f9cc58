import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.js';

/** The step of a conversation at which the server turns hostile. `CONTENT` comes after the end of the content. */
export type Step = 'GREETING' | 'EHLO' | 'STARTTLS' | 'MAIL' | 'RCPT' | 'DATA' | 'CONTENT' | 'QUIT';

/** What the server does instead of answering. */
export type Attack = (socket: Socket) => void;

/** Sends the text again and again, as fast as the client reads. */
export function flood(text: string): Attack {
  const block = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  return (socket) => {
    const write = (): void => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('drain', write);
    write();
  };
}

/** Sends one byte at a time and never ends the line. */
export function trickle(everyMs: number): Attack {
  return (socket) => {
    const timer = setInterval(() => socket.write('2'), everyMs);
    socket.once('close', () => clearInterval(timer));
  };
}

export const silence: Attack = () => {};

/** A real SMTP server on loopback that turns hostile at one step. With `tls` it offers STARTTLS, and is hostile only after it. */
export class HostileSmtp {
  /** How many connections were opened, and how many the client has closed. */
  opened = 0;
  closed = 0;
  private readonly watchers = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    private readonly options: { at: Step; attack: Attack; tls: boolean },
  ) {
    server.on('connection', (socket: Socket) => this.accept(socket));
  }

  static async start(options: { at: Step; attack: Attack; tls: boolean }): Promise<HostileSmtp> {
    const sink = new HostileSmtp(createServer(), options);
    sink.server.listen(0, '127.0.0.1');
    await once(sink.server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Resolves once the client has closed every connection. */
  allClosed(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => this.closed === this.opened && resolve();
      this.watchers.add(look);
      look();
    });
  }

  close(): void {
    this.server.close();
  }

  private accept(socket: Socket): void {
    this.opened += 1;
    socket.once('close', () => {
      this.closed += 1;
      for (const look of this.watchers) look();
    });
    this.converse(socket, false);
    this.answer(socket, 'GREETING', '220 hostile', false);
  }

  private converse(socket: Socket, isSecure: boolean): void {
    let text = '';
    let readsContent = false;
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (;;) {
        const mark = readsContent ? '\r\n.\r\n' : '\r\n';
        const end = text.indexOf(mark);
        if (end < 0) return;
        const verb = readsContent ? 'CONTENT' : text.slice(0, 4).toUpperCase();
        text = text.slice(end + mark.length);
        readsContent = verb === 'DATA';
        if (verb === 'STAR') return this.secure(socket);
        this.answer(socket, verb as Step, this.replyTo(verb, isSecure), isSecure);
      }
    });
  }

  private replyTo(verb: string, isSecure: boolean): string {
    if (verb === 'EHLO') return this.options.tls && !isSecure ? '250-hostile\r\n250 STARTTLS' : '250 hostile';
    return verb === 'DATA' ? '354 go on' : '250 ok';
  }

  private answer(socket: Socket, step: Step, reply: string, isSecure: boolean): void {
    const { at, attack, tls } = this.options;
    if (step === at && (isSecure === tls || step === 'GREETING')) attack(socket);
    else socket.write(`${reply}\r\n`);
  }

  private secure(plain: Socket): void {
    plain.removeAllListeners('data');
    plain.write('220 go on\r\n');
    if (this.options.at === 'STARTTLS') return this.options.attack(plain);
    const socket = new TLSSocket(plain, { isServer: true, key: TEST_KEY, cert: TEST_CERTIFICATE });
    this.converse(socket, true);
  }
}
