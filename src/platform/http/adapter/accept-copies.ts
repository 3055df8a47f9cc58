import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** As many connections are accepted in one turn of the event loop, and one more. */
const COPIES = 63;

/** Connections that may wait to be accepted. Of more, the first packet is dropped, and its client tries again after a second. */
const BACKLOG = 4096;

/** Sends the socket back, again and again. Each arrives as a copy of its own; Node has no other way to copy one. */
const ECHO = `process.on('message', (copies, socket) => {
  let left = copies;
  for (let i = 0; i < copies; i++) process.send(i, socket, () => --left || process.exit());
})`;

/**
 * Node accepts one connection per turn of the event loop and listening socket. In a busy process a turn takes 20 to 60 ms, so a client that
 * opens many connections at once makes all others wait. Each copy of the listening socket accepts one more per turn. Measured with
 * `npm run attack -- trigger-flood`, whose attacker opens 4,000 connections: reads of the other tenant had a p99 of 5.7 s without copies, of
 * 0.1 to 1.3 s with 31, and of 0.1 to 0.5 s with 63.
 *
 * Resolves with the copies. If no process can be started to copy the socket, there are none, and `server` accepts alone.
 */
export function acceptCopies(server: Server): Promise<Server[]> {
  const copies: Server[] = [];
  // Not the server itself: it would accept connections in the other process.
  const { _handle: handle } = server as Server & { _handle?: Parameters<ChildProcess['send']>[1] };
  const options = { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] as ('ignore' | 'ipc')[] };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', ECHO], options);
    child.on('message', (_, copy) => copies.push(listenOn(copy, server)));
    child.once('error', () => resolve(copies));
    child.once('close', () => resolve(copies));
    child.send(COPIES, handle, (error) => error && child.kill());
  });
}

/** With the options that `node:http` gives its own sockets. */
function listenOn(handle: unknown, server: Server): Server {
  const pass = (socket: Socket) => void server.emit('connection', socket);
  return createServer({ allowHalfOpen: true, noDelay: true }, pass).listen(handle, BACKLOG);
}
