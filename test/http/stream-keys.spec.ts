import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { Recipient } from '../../src/auth/scope.js';
import { StreamKeys } from '../../src/auth/stream-keys.js';
import { EventStreams } from '../../src/platform/http/stream/event-stream.js';
import type { EventStream } from '../../src/platform/http/stream/event-stream.js';
import { Statements } from '../support/app/statements.js';
import { useTree } from '../support/world/tree.js';
import type { Tree } from '../support/world/tree.js';

/** No check ends while it is held. */
const LOCK = 'lock table api_keys in access exclusive mode';

interface Key {
  id: number;
  permissions: string[];
}

let tree: Tree;
useTree((created) => (tree = created));

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { recipient, ...key } = JSON.parse(String(request.headers['x-key'])) as Key & { recipient?: Recipient };
    if (recipient) recipient.expiresAt = new Date(recipient.expiresAt);
    streams.open(response as Response, { organizationId: 1, key, ...(recipient && { recipient }) });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let streams: EventStreams;
let keys: StreamKeys;
let sent: Statements;
beforeEach(() => {
  const others = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
  jest.useFakeTimers({ doNotFake: [...others, 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] });
  sent = new Statements(tree.database);
  streams = new EventStreams();
  keys = new StreamKeys(tree.database, streams);
  keys.onModuleInit();
});
afterEach(async () => {
  keys.onModuleDestroy();
  streams.onModuleDestroy();
  await sent.settled();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

async function openAs(key: Key & { recipient?: Partial<Recipient> }): Promise<EventStream> {
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Key': JSON.stringify(key) } });
  return streams.list().at(-1)![0];
}
/** Opens a stream with a key that had these permissions. */
const open = (id: number, ...permissions: string[]) => openAs({ id, permissions });

const tick = () => jest.advanceTimersByTime(1000);
/** The keys of each check. */
const checks = () => sent.of('valid-keys');

it('asks once for all streams, every second, and nothing when there is none', async () => {
  const [a, b] = tree.keys.map(({ id }) => id) as [number, number];
  tick();
  await sent.settled();
  expect(checks()).toEqual([]);
  for (const id of [a, b, a]) await open(id);
  await sent.settled();
  sent.forget();
  tick();
  await sent.settled();
  expect(checks()).toEqual([[a, b]]);
  tick();
  expect(checks()).toHaveLength(2);
});

it('ends the streams of keys that are gone or have lost a permission, and no other', async () => {
  const columns = { permissions: ['user:read', 'user:list'] };
  const { id } = await tree.key(columns);
  const { id: revoked } = await tree.key({ ...columns, revoked_at: new Date() });
  // At the same time, so that none of them has ended before the next one is there.
  const opened = await tree.locked(LOCK, async () => [
    await open(2_147_483_647),
    await open(revoked),
    await open(id, 'user:read', 'user:write'),
    await open(id, 'user:list'),
    await open(id, 'user:list', 'user:read'),
  ]);
  await sent.settled();
  expect(opened.map(({ closed }) => closed)).toEqual([true, true, true, false, false]);
});

it('ends the streams of recipients whose token, secret or person is no longer valid, and no other', async () => {
  const [ann, stranger] = [tree.branches[0]!.user, tree.branches.at(-1)!.user];
  const { id: secret } = await tree.signingSecret('x');
  const { id: revoked } = await tree.signingSecret('x', { revoked_at: new Date() });
  const [later, now] = [new Date(Date.now() + 60_000), new Date()];
  const recipients = [
    { secretId: secret, userId: ann, expiresAt: later },
    { secretId: secret, userId: ann, expiresAt: now },
    { secretId: secret, userId: stranger, expiresAt: later },
    { secretId: revoked, userId: ann, expiresAt: later },
  ];
  const lock = 'lock table signing_secrets in access exclusive mode';
  const opened = await tree.locked(lock, async () => {
    const all: EventStream[] = [];
    for (const recipient of recipients) all.push(await openAs({ id: 0, permissions: [], recipient }));
    return all;
  });
  await sent.settled();
  expect(opened.map(({ closed }) => closed)).toEqual([false, true, true, true]);
  expect(checks()).toEqual([]);
  sent.forget();
  opened[0]!.end();
  tick();
  await sent.settled();
  expect(sent.names).toEqual([]);
});

it('checks a new stream at once, or right after the check that is under way', async () => {
  const [a, b] = tree.keys.map(({ id }) => id) as [number, number];
  await tree.locked(LOCK, async () => {
    for (const id of [a, b, b]) await open(id);
    expect(checks()).toEqual([[a]]);
  });
  await sent.settled();
  expect(checks()).toEqual([[a], [a, b]]);
});

it('warns of a failed check, ends no stream for it, and checks again', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const stream = await tree.locked(LOCK, async () => {
    const opened = await open(tree.keys[0]!.id);
    await tree.cancelWaiting();
    await sent.settled();
    return opened;
  });
  const error = 'canceling statement due to user request';
  expect(warn.mock.calls).toEqual([[{ message: 'could not check the keys of open streams', error }]]);
  expect(stream.closed).toBe(false);
  tick();
  expect(checks()).toHaveLength(2);
});

it('checks no more after the stop', async () => {
  await open(tree.keys[0]!.id);
  await sent.settled();
  keys.onModuleDestroy();
  tick();
  expect(checks()).toHaveLength(1);
});
