import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, webhook } from '../support/world/tenant.js';

// By the clock, on a quiet machine: what `npm run check` leaves to this run.

const ALLOWED = 50;
const SECONDS = 20;
const WANTED = 30 * SECONDS;

let app: TestApp;
let sink: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (sink = started),
);

const people = (count: number) => Array.from({ length: count }, (_, i) => `user-${i}@acme.test`);

/** Accepts so many in each second, and answers 429 without Retry-After to all others. */
function limit(perSecond: number): { accepted: number } {
  const counts = { accepted: 0 };
  let second = 0;
  let inSecond = 0;
  sink.reply = () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) inSecond = 0;
    second = now;
    if (++inSecond > perSecond) return { status: 429, body: 'slow down' };
    counts.accepted++;
    return { status: 200 };
  };
  return counts;
}

it.each([
  ['one occurrence for many people', 2000, 1],
  ['many occurrences for one person each', 1, 1500],
])('a receiver that allows 50 messages a second gets at least 30 a second, of %s', async (_name, size, triggers) => {
  const counts = limit(ALLOWED);
  const tenant = await Tenant.create(app, {
    channels: [webhook('hook', sink.url())],
    lists: [{ name: 'Everyone', members: people(size) }],
    notifications: [{ name: 'Tell', distribution_list: 'Everyone', templates: [{ channel: 'hook', text: 'Hi' }] }],
  });
  const start = performance.now();
  for (let i = 0; i < triggers; i += 50)
    await Promise.all(Array.from({ length: Math.min(50, triggers) }, () => tenant.trigger()));
  await until(120_000, () => counts.accepted >= WANTED);
  const seconds = (performance.now() - start) / 1000;
  const result = {
    seconds,
    perSecond: counts.accepted / seconds,
    attemptsEach: sink.requests.length / counts.accepted,
  };
  process.stderr.write(`${JSON.stringify(result)}\n`);
  expect(result.perSecond).toBeGreaterThan(30);
  expect(result.attemptsEach).toBeLessThan(2);
  expect((await app.pool.query(`select from deliveries where status = 'dead'`)).rowCount).toBe(0);
});
