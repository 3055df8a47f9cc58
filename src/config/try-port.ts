import { createServer } from 'node:net';

/** Takes the port and leaves it again; 0 takes any. Fails when it cannot be had. */
export function tryPort(wanted: number, host: string): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(wanted, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
