import { Socket } from 'node:net';
import type { ClientConfig } from 'pg';

/** The connection to PostgreSQL was given up by us, because nothing comes over it any more. */
export class ConnectionGivenUp extends Error {
  /** As if the network had ended it, so that callers treat both alike. */
  readonly code = 'ECONNABORTED';

  constructor(reason: string) {
    super(`Connection terminated: ${reason}`);
  }
}

/** How long PostgreSQL may take to say its first word. A pool waits for it without a limit once its own timeout is over. */
const FIRST_BYTE_MS = 5000;

/** How long a connection from before a failover may be silent. */
const SUSPECT_MS = 10_000;

/** The sockets of this process to one database. */
export class Sockets {
  private readonly open = new Set<Socket>();
  /** Whether commits wait for a synchronous standby: their answers are late, not lost. */
  commitsWait = false;
  private receivedBefore = 0;

  create(): Socket {
    const socket = new Socket();
    this.open.add(socket);
    const late = setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy(new ConnectionGivenUp('the database did not answer in time'));
    }, FIRST_BYTE_MS).unref();
    socket.once('close', () => {
      clearTimeout(late);
      this.receivedBefore += socket.bytesRead;
      this.open.delete(socket);
    });
    return socket;
  }

  /** The bytes that were ever received over any of them. */
  get received(): number {
    let received = this.receivedBefore;
    for (const socket of this.open) received += socket.bytesRead;
    return received;
  }

  /**
   * After a failover some connections may still lead to the server that vanished, while new ones are heard. Ends those that are being
   * made since longer than a new one took, and the others if nothing is received over them for a while. That can end a long statement,
   * but only after a failover.
   */
  suspectAll(newest: Socket): void {
    const all = [...this.open];
    const older = all.slice(0, all.indexOf(newest));
    const before = new Map(older.map((socket) => [socket, socket.bytesRead]));
    for (const [socket, bytes] of before)
      if (bytes === 0) socket.destroy(new ConnectionGivenUp('a newer connection was answered before it'));
    setTimeout(() => {
      for (const [socket, bytes] of before)
        if (socket.bytesRead === bytes)
          socket.destroy(new ConnectionGivenUp('it is older than a failover, and silent'));
    }, SUSPECT_MS).unref();
  }

  /** Ends them without a word to the other side. Every waiting query fails at once. */
  endAll(reason: string): void {
    for (const socket of this.open) socket.destroy(new ConnectionGivenUp(reason));
  }
}

const databases = new Map<string, Sockets>();

export function socketsOf(url: string): Sockets {
  const known = databases.get(url) ?? new Sockets();
  databases.set(url, known);
  return known;
}

const KEEPALIVE_MS = 10_000;

/**
 * Options of `pg` for every connection: the connection watch of a running service can end it. Keepalives are the second line of
 * defense. Node.js sets neither their interval nor `TCP_USER_TIMEOUT`, so Linux alone would take 11 minutes to notice a silent server.
 */
export const watched = (url: string): ClientConfig => ({
  connectionString: url,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE_MS,
  stream: () => socketsOf(url).create(),
});
