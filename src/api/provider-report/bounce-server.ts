import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { SMTPServer, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { networkOf } from '../../platform/http/client-address.js';

/** What is kept of a mail. The report comes first: what is cut off is the mail that was returned with it. */
const KEPT_BYTES = 256 * 1024;

/** The largest mail that is read to its end. A server that returns whole mails must not keep the report because of that. */
const MAX_MB = 50;

const MAX_CONNECTIONS = 50;
const MAX_OF_NETWORK = 20;
const IDLE_MS = 60_000;
const LONGEST_MS = 10 * 60_000;
/** Wrong addresses of a connection. */
const MAX_WRONG = 10;
const CLOSE_MS = 5000;

interface BounceServerOptions {
  host: string;
  port: number;
  /** Whether mails to this address are accepted. */
  accepts: (address: string) => boolean;
  /** Stores what a mail from this network reports. The mail was received only if this succeeds: otherwise its sender keeps it and tries again. */
  take: (address: string, raw: Buffer, network: string) => Promise<void>;
}

class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

type Done = (error?: Error | null) => void;

/** Receives mails over SMTP for a few addresses. It neither relays nor answers any mail. */
export class BounceServer {
  private readonly ofNetwork = new Map<string, number>();
  private readonly wrong = new WeakMap<SMTPServerSession, number>();

  private constructor(
    private readonly server: SMTPServer,
    private readonly options: BounceServerOptions,
  ) {
    // A client that goes away, or speaks another protocol.
    server.on('error', () => undefined);
    server.server.prependListener('connection', (socket: Socket) => this.admit(socket));
  }

  static async listen(options: BounceServerOptions): Promise<BounceServer> {
    // Imported late: only a process that receives mails needs it.
    const { SMTPServer } = await import('smtp-server');
    const bounces: BounceServer = new BounceServer(new SMTPServer(serverOptions(() => bounces)), options);
    bounces.server.listen(options.port, options.host);
    await once(bounces.server.server, 'listening');
    return bounces;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  /** Ends a connection after a time, whatever it does, and those of a network that has too many. */
  private admit(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const open = (this.ofNetwork.get(network) ?? 0) + 1;
    this.ofNetwork.set(network, open);
    const end = setTimeout(() => socket.destroy(), LONGEST_MS).unref();
    socket.once('close', () => {
      clearTimeout(end);
      const left = this.ofNetwork.get(network)! - 1;
      if (left > 0) this.ofNetwork.set(network, left);
      else this.ofNetwork.delete(network);
    });
    if (open > MAX_OF_NETWORK) socket.destroy();
  }

  recipient(address: string, session: SMTPServerSession, done: Done): void {
    if (!this.options.accepts(address)) {
      const wrong = (this.wrong.get(session) ?? 0) + 1;
      this.wrong.set(session, wrong);
      if (wrong > MAX_WRONG) return done(new Refusal(421, '4.7.0 Too many wrong addresses'));
      return done(new Refusal(550, '5.1.1 No such address'));
    }
    // One mail is about one message.
    done(session.envelope.rcptTo.length > 0 ? new Refusal(452, '4.5.3 One recipient at a time') : null);
  }

  async receive(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): Promise<void> {
    try {
      const raw = await beginningOf(stream);
      if (stream.sizeExceeded) return done(new Refusal(552, `5.3.4 The mail has more than ${MAX_MB} MB`));
      await this.options.take(session.envelope.rcptTo[0]!.address, raw, networkOf(session.remoteAddress));
      done();
    } catch {
      done(new Refusal(451, '4.3.0 Try again later'));
    }
  }
}

async function beginningOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (bytes < KEPT_BYTES) chunks.push(chunk.subarray(0, KEPT_BYTES - bytes));
    bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}

const serverOptions = (server: () => BounceServer): SMTPServerOptions => ({
  banner: 'reports about mails only',
  // Without a certificate there is no TLS: the one that comes with the package is known to everybody.
  disabledCommands: ['AUTH', 'STARTTLS'],
  authOptional: true,
  logger: false,
  disableReverseLookup: true,
  size: MAX_MB * 1024 * 1024,
  maxClients: MAX_CONNECTIONS,
  socketTimeout: IDLE_MS,
  closeTimeout: CLOSE_MS,
  onRcptTo: ({ address }, session, done) => server().recipient(address, session, done),
  onData: (stream, session, done) => void server().receive(stream, session, done),
});
