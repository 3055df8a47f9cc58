import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** `pass`: forwards; `refuse`: resets new connections; `silent`: swallows everything, and closes nothing, as a machine that has vanished. */
type Mode = 'pass' | 'refuse' | 'silent';

/** The one address of a database that fails over. It forwards to the primary of the moment, and misbehaves as told. */
export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();
  private mode: Mode = 'pass';

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {
    server.on('connection', (client) => this.accept(client));
  }

  static async start(target: number): Promise<DatabaseProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DatabaseProxy(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The URL of the same database by this address. */
  through(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href;
  }

  /** New connections lead to this port from now on. Those that are silent stay so. */
  switchTo(target: number): void {
    this.target = target;
    this.mode = 'pass';
  }

  refuse(): void {
    this.mode = 'refuse';
  }

  /** From now on nothing arrives, in either direction, over connections old and new. No one is told. */
  vanish(): void {
    this.mode = 'silent';
    for (const socket of this.sockets) silence(socket);
  }

  /** Ends every connection with a reset. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.reset();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    if (this.mode === 'refuse') return void client.on('error', () => undefined).resetAndDestroy();
    this.keep(client);
    if (this.mode === 'silent') return silence(client);
    const server = this.keep(connect(this.target, '127.0.0.1'));
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk) => client.write(chunk));
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket.setNoDelay(true).on('error', () => undefined));
    return socket.once('close', () => this.sockets.delete(socket));
  }
}

function silence(socket: Socket): void {
  socket.removeAllListeners('data').removeAllListeners('close').resume();
}
