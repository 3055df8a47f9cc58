import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** The parameters of a connection that PgBouncer knows. It refuses all others. */
const KNOWN = new Set(['user', 'database', 'client_encoding', 'datestyle', 'timezone', 'application_name']);

/** A pooler between a client and PostgreSQL that does what PgBouncer does in one of its modes, and nothing else. */
export interface Pooler {
  url: string;
  close(): Promise<void>;
}

/** Every client has a session of its own, but startup parameters are refused. */
export const startSessionPooler = (databaseUrl: string) =>
  startPooler(databaseUrl, (client, startup, server) => {
    const unknown = parametersOf(startup).find((name) => !KNOWN.has(name));
    if (unknown !== undefined) return void client.end(refusal(`unsupported startup parameter: ${unknown}`));
    server.write(startup);
    client.pipe(server).pipe(client);
  });

/** All clients share one session of PostgreSQL, one after the other, as clients of a transaction pool do when nothing else runs. */
export function startTransactionPooler(databaseUrl: string): Promise<Pooler> {
  let shared: Socket | undefined;
  let owner: Socket;
  let greeting: Buffer = Buffer.alloc(0);
  return startPooler(databaseUrl, (client, startup, server) => {
    owner = client;
    if (shared) {
      server.destroy();
      client.write(greeting);
    } else {
      shared = server;
      let isReady = false;
      server.on('data', (data: Buffer) => {
        if (!isReady) ({ isReady, greeting } = greetingIn(Buffer.concat([greeting, data])));
        owner.write(data);
      });
      server.write(startup);
    }
    client.on('data', (data: Buffer) => {
      owner = client;
      if (data[0] !== 'X'.charCodeAt(0)) shared!.write(data); // X: the client leaves, its session stays
    });
  });
}

async function startPooler(
  databaseUrl: string,
  accept: (client: Socket, startup: Buffer, server: Socket) => void,
): Promise<Pooler> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pooler = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket.on('error', () => undefined));
      socket.once('close', () => sockets.delete(socket));
    }
    client.once('data', (startup: Buffer) => accept(client, startup, server));
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((pooler.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      pooler.close();
      for (const socket of sockets) socket.destroy();
      await once(pooler, 'close');
    },
  };
}

function parametersOf(startup: Buffer): string[] {
  const words = startup.toString('utf8', 8).split('\0');
  return words.filter((word, index) => index % 2 === 0 && word !== '');
}

function refusal(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** What PostgreSQL says from "you are known" (R 0) to "ready" (Z); later clients hear it from the pooler. */
function greetingIn(heard: Buffer): { isReady: boolean; greeting: Buffer } {
  let known = -1;
  for (let at = 0; at + 5 <= heard.length;) {
    const type = String.fromCharCode(heard[at]!);
    const end = at + 1 + heard.readInt32BE(at + 1);
    if (type === 'R' && heard.readInt32BE(at + 5) === 0) known = at;
    if (type === 'Z' && end <= heard.length) return { isReady: true, greeting: heard.subarray(known, end) };
    at = end;
  }
  return { isReady: false, greeting: heard };
}
