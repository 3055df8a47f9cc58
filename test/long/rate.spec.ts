import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { createCrowd } from '../support/world/crowd.js';

// By the clock, on a quiet machine: what `npm run check` leaves to this run.

const RATE = 50;
const SECONDS = 8;

let database: TestDatabase;
let sink: HttpSink;
let services: Service[] = [];
const arrivals: number[] = [];

beforeAll(async () => {
  database = await createDatabase();
  sink = await HttpSink.start();
  sink.reply = () => {
    arrivals.push(Date.now());
    return { status: 200 };
  };
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await sink.close();
  await database.drop();
});

it('a channel with a rate of 50 sends 50 a second, give or take a tenth, with four worker processes', async () => {
  const { key, trigger } = await createCrowd(database.url, sink.url('/in'), RATE * SECONDS, { rate: RATE });
  const env = { DATABASE_URL: database.url, OUTBOUND_ALLOW: '127.0.0.0/8' };
  const roles = ['api', 'worker', 'worker', 'worker', 'worker'];
  services = await Promise.all(roles.map((ROLE) => Service.start({ ...env, ROLE })));
  await fetch(services[0]!.url + trigger, { method: 'POST', headers: { authorization: `Key ${key}` } });
  await until(60_000, () => arrivals.length === RATE * SECONDS);
  const times = arrivals.toSorted((a, b) => a - b);
  const rate = (times.length - 1) / ((times.at(-1)! - times[0]!) / 1000);
  expect(rate).toBeGreaterThan(0.9 * RATE);
  expect(rate).toBeLessThan(1.1 * RATE);
});
