import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.js';

export interface ReceivedMail {
  envelope: { from: string; to: string[] };
  raw: Buffer;
  isEncrypted: boolean;
  /** What the client called itself. */
  helo: string;
  /** Who was logged in, if anybody. */
  user: string | null;
}

/** A refusal such as `{ code: 550, text: 'no such user' }`, or the connection cut off. None: all is well. */
export type SmtpReply = { code: number; text: string } | 'cut' | undefined;

export interface SmtpSinkOptions {
  /** Where it listens: on loopback unless told otherwise. */
  host?: string;
  /** Offer STARTTLS, or speak TLS from the first byte, with a certificate for `mail.test` that nobody trusts. */
  tls?: 'starttls' | 'implicit';
  /** Require this login. */
  login?: { username: string; password: string };
  /** The largest message it takes. */
  size?: number;
  /** Also take each command only after the answer to the one before. */
  hidePipelining?: boolean;
}

type Done = (error?: Error | null) => void;

/** A real SMTP server on loopback that remembers what it was sent and answers as told. */
export class SmtpSink {
  readonly mails: ReceivedMail[] = [];
  /** How many connections were opened. */
  connections = 0;
  /** The most that were open at the same time. */
  mostConnections = 0;
  /** What to answer at each step of a conversation; `data` comes after the content was read. */
  reply: {
    connect?: () => SmtpReply;
    mail?: (address: string) => SmtpReply;
    rcpt?: (address: string) => SmtpReply;
    data?: (mail: ReceivedMail) => SmtpReply;
  } = {};

  private readonly sockets = new Set<Socket>();
  private readonly watchers = new Set<() => void>();

  private constructor(private readonly server: SMTPServer) {
    server.on('error', () => {});
    server.server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      this.mostConnections = Math.max(this.mostConnections, this.sockets.size);
      socket.once('close', () => {
        this.sockets.delete(socket);
        this.changed();
      });
      this.changed();
    });
  }

  static async start(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
    const sink: SmtpSink = new SmtpSink(new SMTPServer(serverOptions(options, () => sink)));
    sink.server.listen(0, options.host ?? '127.0.0.1');
    await once(sink.server.server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** Without TLS only: an encrypted connection does not tell when it ends. */
  get openConnections(): number {
    return this.sockets.size;
  }

  /** Resolves once `isSo` holds; looked at whenever a mail comes or a connection comes or goes. */
  until(isSo: (sink: SmtpSink) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isSo(this)) return;
        this.watchers.delete(look);
        resolve();
      };
      this.watchers.add(look);
      look();
    });
  }

  /** Cuts every open connection, as a restart of the server would; without TLS only, which Node crashes on. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  /** Answers one step of a conversation. */
  answer(reply: SmtpReply, session: SMTPServerSession, done: Done): void {
    if (reply === undefined) return done();
    if (reply !== 'cut') return done(Object.assign(new Error(reply.text), { responseCode: reply.code }));
    for (const socket of this.sockets) if (socket.remotePort === session.remotePort) socket.resetAndDestroy();
  }

  async receive(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const { mailFrom, rcptTo } = session.envelope;
    const mail: ReceivedMail = {
      envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
      raw: Buffer.concat(chunks),
      isEncrypted: session.secure,
      helo: session.hostNameAppearsAs,
      user: session.user ?? null,
    };
    const reply = this.reply.data?.(mail);
    if (reply === undefined || reply === 'cut') this.mails.push(mail);
    this.changed();
    this.answer(reply, session, done);
  }

  private changed(): void {
    for (const look of this.watchers) look();
  }
}

function serverOptions(options: SmtpSinkOptions, sink: () => SmtpSink): SMTPServerOptions {
  const disabled = [...(options.tls ? [] : ['STARTTLS']), ...(options.login ? [] : ['AUTH'])];
  return {
    secure: options.tls === 'implicit',
    key: TEST_KEY,
    cert: TEST_CERTIFICATE,
    disabledCommands: disabled,
    allowInsecureAuth: true,
    authOptional: options.login === undefined,
    hidePIPELINING: options.hidePipelining ?? false,
    size: options.size,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const { login } = options;
      if (login && username === login.username && password === login.password) return done(null, { user: username });
      done(Object.assign(new Error(`no login with ${password}`), { responseCode: 535 }));
    },
    onConnect: (session, done) => sink().answer(sink().reply.connect?.(), session, done),
    onMailFrom: ({ address }, session, done) => sink().answer(sink().reply.mail?.(address), session, done),
    onRcptTo: ({ address }, session, done) => sink().answer(sink().reply.rcpt?.(address), session, done),
    onData: (stream, session, done) => void sink().receive(stream, session, done),
  };
}
