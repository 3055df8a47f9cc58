import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, queueIsEmpty, webhook } from '../support/world/tenant.js';

// By the clock, on a quiet machine: what `npm run check` leaves to this run.

const ROUNDS = 30;
const MOST_MS = 100;

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

it('a message arrives within a tenth of a second of its trigger while the service is idle', async () => {
  const tenant = await Tenant.create(app, {
    channels: [webhook('hook', sink.url())],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'Hi' }] }],
  });
  // The first of all pays for connections and statements that are used for the first time.
  await tenant.triggerAndSettle();
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await queueIsEmpty(app);
    let arrivedAt = 0;
    sink.reply = () => {
      arrivedAt = performance.now();
      return { status: 200 };
    };
    const triggeredAt = performance.now();
    await tenant.trigger();
    await until(10_000, async () => arrivedAt);
    rounds.push(arrivedAt - triggeredAt);
  }
  const sorted = rounds.toSorted((a, b) => a - b);
  const median = sorted[ROUNDS / 2]!;
  const [fastest, slowest] = [sorted[0]!, sorted.at(-1)!];
  process.stdout.write(
    `trigger to arrival: median ${median.toFixed(1)} ms (${fastest.toFixed(1)} to ${slowest.toFixed(1)} ms)\n`,
  );
  expect(sink.requests).toHaveLength(ROUNDS + 1);
  expect(median).toBeLessThan(MOST_MS);
});
