import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { acceptCopies } from './accept-copies.js';

const CONNECTIONS = 20;

/** Opens connections from another process while this one does nothing: all of them wait to be accepted. */
function connectMeanwhile(server: Server): void {
  const { port } = server.address() as AddressInfo;
  const code = `let left = ${CONNECTIONS};
    for (let i = 0; i < ${CONNECTIONS}; i++) require('net').connect(${port}, '127.0.0.1', () => --left || process.exit());`;
  execFileSync(process.execPath, ['-e', code], { env: {} });
}

async function acceptedInTwoTurns(server: Server): Promise<number> {
  let accepted = 0;
  server.on('connection', () => accepted++);
  connectMeanwhile(server);
  for (let turn = 0; turn < 2; turn++) await nextTurn();
  return accepted;
}

const closed = (server: Server) => new Promise((resolve) => server.close(resolve));

it('accepts many connections in one turn of the event loop', async () => {
  const server = createServer((_, response) => response.end('served')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const copies = await acceptCopies(server);
  expect(await acceptedInTwoTurns(server)).toBe(CONNECTIONS);
  const call = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(200);
  await Promise.all([server, ...copies].map(closed));
});

it('without copies, Node accepts one in a turn', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(await acceptedInTwoTurns(server)).toBeLessThanOrEqual(2);
  server.closeAllConnections();
  await closed(server);
});
