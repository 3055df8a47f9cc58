import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { withTimers } from '../support/clock.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, queueIsEmpty, webhook } from '../support/world/tenant.js';

const ROUNDS = 5;
/** A worker looks into the queue after this time, whether it was told to or not. */
const POLL_MS = 1000;

let app: TestApp;
let sink: HttpSink;
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
  sink = await HttpSink.start();
});
afterAll(async () => {
  await app.stop();
  await sink.close();
});

it('a message arrives because the worker was told of it, not because it looked', async () => {
  const tenant = await Tenant.create(app, {
    channels: [webhook('hook', sink.url())],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'Hi' }] }],
  });
  await tenant.triggerAndSettle();
  await withTimers(POLL_MS, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      await queueIsEmpty(app);
      await tenant.trigger();
      await until(10_000, () => sink.requests.length === 1 + round);
    }
  });
  expect(sink.requests).toHaveLength(1 + ROUNDS);
});
