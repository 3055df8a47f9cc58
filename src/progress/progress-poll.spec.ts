import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import express from 'express';
import { EventReader } from '../../test/support/event-reader.js';
import { until } from '../../test/support/until.js';
import { EventStreams } from '../http/stream/event-stream.js';
import { AtOnce } from './at-once.js';
import { ProgressPoll, pauseMs } from './progress-poll.js';
import type { ProgressDto } from './progress.dto.js';

it('pauses at least half a second, and ten times as long as looking took', () => {
  expect([0, 3, 50, 51, 400].map(pauseMs)).toEqual([500, 500, 500, 510, 4000]);
});

it('pauses so long also after a look that failed', async () => {
  const progress: ProgressDto = { status: 'expanded', total: 1, pending: 1, sent: 0, skipped: 0, dead: 0 };
  const starts: number[] = [];
  const load = async () => {
    starts.push(performance.now());
    if (starts.length !== 2) return progress;
    await sleep(150);
    throw new Error('canceling statement due to statement timeout');
  };
  const poll = new ProgressPoll(load, new AtOnce(1), () => undefined);
  const streams = new EventStreams();
  const app = express().get('/', (_, response) => poll.watch(() => streams.open(response, 1)));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = await EventReader.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await until(5000, () => starts.length === 3);
  reader.leave();
  expect(starts[2]! - starts[1]!).toBeGreaterThan(1500);
  streams.onModuleDestroy();
  server.close();
  await once(server, 'close');
});
