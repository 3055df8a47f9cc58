import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Forwards connections to a service. It can cut all of them, and refuse new ones. */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();
  private isDown = false;

  private constructor(private readonly server: Server) {}

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<CuttableProxy> {
    const { hostname, port } = new URL(target);
    const server = createServer((client) => {
      if (proxy.isDown) return void client.destroy();
      const service = connect(Number(port), hostname);
      for (const socket of [client, service]) {
        proxy.sockets.add(socket.on('error', () => undefined));
        socket.once('close', () => {
          proxy.sockets.delete(socket);
          (socket === client ? service : client).destroy();
        });
      }
      client.pipe(service).pipe(client);
    });
    const proxy = new CuttableProxy(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** Cuts every connection, and refuses others until `restore`. */
  cut(): void {
    this.isDown = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isDown = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }
}
