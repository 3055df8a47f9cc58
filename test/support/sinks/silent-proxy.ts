import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a client and a server. Connections can die without a word: they stay open, and nothing passes, not even their end. */
export class SilentProxy {
  /** How many connections came. */
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private silenced = 0;

  private constructor(
    private readonly server: Server,
    target: number,
  ) {
    server.on('connection', (client) => {
      const number = ++this.connections;
      const upstream = connect(target, '127.0.0.1');
      const pass = (from: Socket, to: Socket) => {
        this.sockets.add(from);
        from.on('data', (chunk) => number > this.silenced && to.write(chunk));
        from.on('close', () => number > this.silenced && to.destroy());
        from.on('error', () => {});
      };
      pass(client, upstream);
      pass(upstream, client);
    });
  }

  static async start(target: number): Promise<SilentProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SilentProxy(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on nothing passes over the connections that are open. */
  silence(): void {
    this.silenced = this.connections;
  }

  close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
