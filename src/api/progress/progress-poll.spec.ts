import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import timers from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import express from 'express';
import { EventReader } from '../../../test/support/sinks/event-reader.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { EventStreams } from '../../platform/http/stream/event-stream.js';
import { ProgressPoll, pauseMs } from './progress-poll.js';
import type { ProgressDto } from './progress.dto.js';

// The test records pauses instead of waiting for them, and says how long each query takes.
const pauses: number[] = [];
let took = 0;
beforeAll(() => {
  jest.spyOn(timers, 'setTimeout').mockImplementation((ms) => {
    pauses.push(ms!);
    return Promise.resolve(undefined as never);
  });
  syncBuiltinESMExports();
});
afterAll(() => {
  jest.restoreAllMocks();
  syncBuiltinESMExports();
});

it('pauses at least half a second, and ten times as long as the query took', () => {
  expect([0, 3, 50, 51, 400].map(pauseMs)).toEqual([500, 500, 500, 510, 4000]);
});

it('pauses as long after a query that failed', async () => {
  const progress: ProgressDto = { status: 'expanded', total: 1, pending: 1, sent: 0, skipped: 0, dead: 0 };
  const now = jest.spyOn(performance, 'now').mockImplementation(() => took);
  let looks = 0;
  let isOver = (): void => undefined;
  const over = new Promise<void>((resolve) => (isOver = resolve));
  const load = async () => {
    looks++;
    if (looks === 1) return progress;
    if (looks > 2) {
      isOver();
      return null;
    }
    took += 150;
    throw new Error('canceling statement due to statement timeout');
  };
  const poll = new ProgressPoll(load, new TenantLimiter<0>({ perOrganization: 1 }), () => undefined);
  const streams = new EventStreams();
  const scope = { organizationId: 1, key: { id: 1, permissions: [] } };
  const app = express().get('/', (_, response) => poll.watch(() => streams.open(response, scope)));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = await EventReader.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await over;
  now.mockRestore();
  reader.leave();
  expect(pauses).toEqual([500, 1500]);
  streams.onModuleDestroy();
  server.close();
  await once(server, 'close');
});
