import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Outbound } from './outbound.js';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let outbound: Outbound;
let server: Server;
/** For each request, on which connection it came. */
let requests: number[];
/** What the server does with a request, given the number of the connection and how many came on it before. */
let react: (socket: Socket, connection: number, before: number) => void;

beforeEach(async () => {
  outbound = new Outbound({ allow: ['127.0.0.0/8'] });
  requests = [];
  let connections = 0;
  server = createServer((socket) => {
    const connection = ++connections;
    let before = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests.push(connection);
      react(socket, connection, before++);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await outbound.close();
  server.close();
});

const post = async () => {
  // A connection is free again one turn after its answer.
  await setImmediate();
  return outbound.post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { body: '{}' });
};

it.each<[string, (socket: Socket) => void]>([
  ['closes', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
])('a request that meets a connection that the receiver just %s is sent again over a new one', async (_name, end) => {
  react = (socket, _connection, before) => (before === 0 ? socket.write(ANSWER) : end(socket));
  expect(await post()).toMatchObject({ status: 200 });
  expect(await post()).toMatchObject({ status: 200, text: 'ok' });
  expect(requests).toEqual([1, 1, 2]);
});

it('a request is sent again only once, and only if its connection had been used before', async () => {
  react = (socket) => socket.end();
  await expect(post()).rejects.toThrow('other side closed');
  expect(requests).toEqual([1]);
  react = (socket, connection, before) => (connection === 2 && before === 0 ? socket.write(ANSWER) : socket.end());
  expect(await post()).toMatchObject({ status: 200 });
  await expect(post()).rejects.toThrow('other side closed');
  expect(requests).toEqual([1, 2, 2, 3]);
});
