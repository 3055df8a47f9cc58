import { createServer } from 'node:net';

/** Opens the port, closes it again and returns its number; 0 means any free port. Rejects if the port is not available. */
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
