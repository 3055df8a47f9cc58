import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Listener } from '../../src/platform/database/listener.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { until } from '../support/until.js';

let database: TestDatabase;
let speaker: Client;
let firewall: Server;
let connections: Socket[];
let listener: Listener;
let heard: string[];
let restored: number;

beforeAll(async () => {
  database = await createDatabase();
  speaker = new Client({ connectionString: database.url });
  await speaker.connect();
});
afterAll(async () => {
  await speaker.end();
  await database.drop();
});

/** Between the listener and PostgreSQL stands something that may drop connections without a word. */
beforeEach(async () => {
  connections = [];
  heard = [];
  restored = 0;
  const { hostname, port } = new URL(database.url);
  firewall = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    connections.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(firewall, 'listening');
  const url = new URL(database.url);
  url.port = String((firewall.address() as AddressInfo).port);
  listener = new Listener(
    url.href,
    'tidings',
    (payload) => heard.push(payload),
    () => restored++,
  );
});
afterEach(async () => {
  await listener.stop();
  for (const socket of connections) socket.destroy();
  firewall.close();
});

const say = (text: string) => speaker.query('select pg_notify($1, $2)', ['tidings', text]);
const isSo = (look: () => boolean, patienceMs = 5000) => until(patienceMs, () => look());

it('hears what is said once it is ready', async () => {
  await Promise.all([listener.ready(), listener.ready()]);
  await say('one');
  await say('two');
  await isSo(() => heard.length === 2);
  expect([heard, restored, connections.length]).toEqual([['one', 'two'], 0, 2]);
});

it('listens again over a new connection when it has lost its own, and says so', async () => {
  await listener.ready();
  connections[0]!.destroy();
  await isSo(() => restored === 1);
  await say('again');
  await isSo(() => heard.length === 1);
});

it('notices a connection that says nothing any more', async () => {
  await listener.ready();
  for (const socket of connections) socket.unpipe().pause();
  await isSo(() => restored === 1, 15_000);
  await say('again');
  await isSo(() => heard.length === 1);
});

it('stops while PostgreSQL cannot be reached', async () => {
  await listener.ready();
  firewall.close();
  connections[0]!.destroy();
  await listener.stop();
  expect(restored).toBe(0);
});
