import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { EventReader } from '../../../../test/support/sinks/event-reader.js';
import { until } from '../../../../test/support/until.js';
import type { Problem } from '../problem.js';
import { EventStreams } from './event-stream.js';
import type { EventStream, StreamLimits } from './event-stream.js';

const HOURS = { heartbeatMs: 3_600_000, stallMs: 3_600_000, takeMs: 3_600_000, lifeMs: 3_600_000 };
const LIMITS: StreamLimits = {
  ...{ max: 3, maxPerOrganization: 2, ...HOURS },
  recipients: { max: 4, maxPerOrganization: 3, maxPerUser: 2 },
};

let server: Server;
let streams: EventStreams;
let opened: EventStream[];
let position: number | undefined;

beforeEach(async () => {
  opened = [];
  position = undefined;
  streams = new EventStreams(LIMITS);
  const app = express();
  app.get('/', async (request, response) => {
    if (request.query.late) await once(response, 'close');
    try {
      const { user } = request.query;
      const recipient = user ? { userId: Number(user), secretId: 1, expiresAt: new Date() } : null;
      const scope = { organizationId: Number(request.query.organization), key: { id: 1, permissions: [] }, recipient };
      opened.push(streams.open(response, scope, position));
    } catch (error) {
      const { status, headers } = error as Problem;
      response.status(status).set(headers).end();
    }
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  streams.onModuleDestroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const read = (method = 'GET') => EventReader.open(`${url()}?organization=1`, {}, method);
const readOther = () => EventReader.open(`${url()}?organization=2`);

const isSo = (look: () => boolean) => until(5000, () => look());

describe('a stream', () => {
  it('has headers that keep proxies from buffering it, and says when to connect again', async () => {
    const reader = await read();
    expect([reader.status, reader.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    ]);
    await isSo(() => reader.retryMs === 1000);
    expect([reader.events, reader.lastEventId]).toEqual([[], '']);
  });

  it('tells its reader where it stands before anything has happened', async () => {
    position = 41;
    const reader = await read();
    await isSo(() => reader.lastEventId === '41');
    expect(reader.events).toEqual([]);
  });

  it('carries events, whatever their data', async () => {
    const reader = await read();
    const data = { text: 'two\nlines\r\nand: a colon', snow: '☃' };
    expect(await opened[0]!.send({ id: 7, event: 'message', data })).toBe(true);
    expect(await opened[0]!.send({ event: 'other', data: null })).toBe(true);
    expect(await reader.received(2)).toEqual([
      { id: '7', event: 'message', data },
      { id: '7', event: 'other', data: null },
    ]);
  });

  it('beats while nothing happens', async () => {
    streams = new EventStreams({ ...LIMITS, heartbeatMs: 20, stallMs: 200 });
    const reader = await read();
    await isSo(() => reader.comments >= 20);
    expect([reader.closed, reader.events]).toEqual([false, []]);
  });

  it('ends after its longest life, and accepts nothing more', async () => {
    streams = new EventStreams({ ...LIMITS, lifeMs: 100 });
    const reader = await read();
    await reader.untilEnd();
    expect(await opened[0]!.send({ event: 'late', data: 1 })).toBe(false);
    expect([streams.size, reader.events]).toEqual([0, []]);
  });

  it('is over for a reader that asks for the headers only', async () => {
    const reader = await read('HEAD');
    expect(reader.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await reader.untilEnd();
    expect(streams.size).toBe(0);
  });

  it('knows that its reader has gone, and calls back once', async () => {
    const reader = await read();
    let calls = 0;
    opened[0]!.whenClosed(() => calls++);
    reader.leave();
    await isSo(() => opened[0]!.closed);
    expect([streams.size, calls]).toEqual([0, 1]);
    opened[0]!.whenClosed(() => calls++);
    expect(calls).toBe(2);
    expect(await opened[0]!.send({ event: 'late', data: 1 })).toBe(false);
  });
});

it('a stream whose reader has gone before it starts is over at once', async () => {
  const arrived = once(server, 'request');
  const leaving = new AbortController();
  const reading = fetch(`${url()}?late=1`, { signal: leaving.signal });
  await arrived;
  leaving.abort();
  await expect(reading).rejects.toThrow();
  await isSo(() => opened.length === 1);
  expect([opened[0]!.closed, streams.size]).toEqual([true, 0]);
  expect(await opened[0]!.send({ event: 'late', data: 1 })).toBe(false);
});

describe('a reader that takes nothing', () => {
  const data = 'x'.repeat(1024 * 1024);

  it('is waited for, and disconnected when it takes too long', async () => {
    streams = new EventStreams({ ...LIMITS, heartbeatMs: 20, stallMs: 500 });
    const reader = await read();
    reader.stall();
    let sent = 0;
    while (await opened[0]!.send({ event: 'big', data })) sent++;
    expect(sent).toBeLessThan(50); // only what the sockets of this machine can buffer
    expect(streams.size).toBe(0);
  });

  it('does not keep the process from stopping', async () => {
    const reader = await read();
    reader.stall();
    const sending = opened[0]!.send({ event: 'big', data: data.repeat(50) });
    const closed = once(server, 'close');
    streams.onModuleDestroy();
    server.close();
    expect(await sending).toBe(false);
    await closed;
    expect(reader.ended).toBe(false);
  });
});

describe('the streams of a process', () => {
  it('are limited in number', async () => {
    const readers = [await read(), await read(), await readOther()];
    const refused = await readOther();
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    readers[0]!.leave();
    await isSo(() => streams.size === 2);
    expect((await read()).status).toBe(200);
  });

  it('are limited in number for each organization', async () => {
    const readers = [await read(), await read()];
    const refused = await read();
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect((await readOther()).status).toBe(200);
    readers[0]!.leave();
    await isSo(() => streams.size === 2);
    expect((await read()).status).toBe(200);
  });

  it('of recipients are limited in number for each user, organization and process, and take none of the others', async () => {
    const readAs = async (user: number, organization: number) =>
      (await EventReader.open(`${url()}?organization=${organization}&user=${user}`)).status;
    expect([await readAs(1, 1), await readAs(1, 1), await readAs(1, 1)]).toEqual([200, 200, 429]);
    expect([await readAs(2, 1), await readAs(3, 1)]).toEqual([200, 429]);
    expect([await readAs(4, 2), await readAs(5, 2)]).toEqual([200, 503]);
    expect([(await read()).status, (await read()).status, (await readOther()).status]).toEqual([200, 200, 200]);
  });

  it('end at once when the process stops, and no other is opened', async () => {
    const readers = [await read(), await read()];
    streams.onModuleDestroy();
    for (const reader of readers) await reader.untilEnd(2000);
    expect((await read()).status).toBe(503);
    expect(streams.size).toBe(0);
  });
});
