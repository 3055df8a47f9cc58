import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createCrowd } from '../support/crowd.js';
import { createDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { HttpSink } from '../support/http-sink.js';
import { Service } from '../support/service.js';

// The short form; the long one is PEOPLE=100000 npm test -- test/faults/steer
const PEOPLE = Number(process.env.PEOPLE ?? 4000);
const TEST_MS = 180_000 + PEOPLE * 6;

let database: TestDatabase;
let sink: HttpSink;
let api: Service;
let workers: Service[] = [];
let key: string;
let trigger: string;
/** When each message arrived, by its occurrence and its person. */
let arrivals: { occurrence: string; user: string; at: number }[] = [];

const env = () => ({ DATABASE_URL: database.url, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'info' });

async function start({ people, workerCount, config }: { people: number; workerCount: number; config?: string }) {
  ({ key, trigger } = await createCrowd(database.url, sink.url('/in'), people, config));
  api = await Service.start({ ...env(), ROLE: 'api' });
  workers = await Promise.all(Array.from({ length: workerCount }, () => Service.start({ ...env(), ROLE: 'worker' })));
}

beforeEach(async () => {
  database = await createDatabase();
  sink = await HttpSink.start();
  arrivals = [];
  sink.reply = ({ body }) => {
    const { data } = JSON.parse(body) as { data: { occurrence: string; user: string } };
    arrivals.push({ occurrence: data.occurrence, user: data.user, at: Date.now() });
    sink.requests.length = 0;
    return { status: 200 };
  };
}, 60_000);

afterEach(async () => {
  await Promise.all([api, ...workers].map((service) => service.stop()));
  await sink.close();
  await database.drop();
}, 60_000);

async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  const headers = { authorization: `Key ${key}`, 'content-type': 'application/json' };
  const response = await fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return (await response.json()) as Answer;
}

const fire = async (options: object = {}) => (await post<{ occurrence: string }>(trigger, { options })).occurrence;

async function query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function until(what: string, condition: () => Promise<boolean> | boolean, ms = 60_000 + PEOPLE * 3) {
  for (const deadline = Date.now() + ms; !(await condition());) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const arrived = (occurrence: string) => arrivals.filter((arrival) => arrival.occurrence === occurrence);
const tell = (line: string) => process.stdout.write(`${PEOPLE} people: ${line}\n`);

describe('an occurrence that is canceled while everyone waits', () => {
  it(
    'sends nothing more within two seconds, and says of each person what became of theirs',
    async () => {
      // More than two workers send in the time that passes until they look.
      const people = Math.max(PEOPLE, 12_000);
      await start({ people, workerCount: 2 });
      const occurrence = await fire();
      // Canceled before that, the occurrence ends with the rows of those few, and nobody is left to be skipped.
      await until('some have theirs, and many wait for it', async () => {
        const waiting = await query<{ count: number }>(
          "select count(*)::int from deliveries where occurrence_id = $1 and status = 'pending'",
          [occurrence],
        );
        return arrivals.length >= PEOPLE / 40 && waiting[0]!.count > 1000;
      });
      await post(`/api/o/crowd/occurrences/${occurrence}/cancel/`);
      const canceledAt = Date.now();
      const before = arrivals.length;
      expect(before).toBeLessThan(people);
      await until('two seconds have gone by', () => Date.now() - canceledAt > 2000);
      const after = arrivals.length;
      await until('no job is left', async () => {
        const jobs = await query('select 1 from graphile_worker._private_jobs', []);
        return jobs.length === 0;
      });
      expect(arrivals.length).toBe(after);
      const last = Math.max(...arrivals.map(({ at }) => at));
      tell(`canceled after ${before}, ${after - before} more left, the last ${last - canceledAt} ms later`);
      const counts = await query<{ status: string; gate: string | null; count: number }>(
        'select status, gate, count(*)::int from deliveries where occurrence_id = $1 group by 1, 2 order by 1',
        [occurrence],
      );
      expect(counts.map(({ status, gate }) => [status, gate])).toEqual([
        ['sent', null],
        ['skipped', 'canceled'],
      ]);
      expect(counts[0]!.count).toBe(after);
    },
    TEST_MS,
  );
});

describe('a project that is switched off while everyone waits', () => {
  it(
    'sends nothing more within two seconds, and each message once when it is on again',
    async () => {
      await start({ people: PEOPLE, workerCount: 2 });
      const isQuiet = async () => (await query('select 1 from graphile_worker._private_jobs')).length === 0;
      const waiting = async () =>
        (await query<{ count: number }>(`select count(*)::int from deliveries where status = 'pending'`))[0]!.count;
      // What is expanded waits for its notification, so that everyone is still there when the project is switched off.
      await query('update notifications set enabled = false');
      const occurrence = await fire();
      await until('everyone waits', async () => (await waiting()) === PEOPLE && (await isQuiet()));
      await query('update notifications set enabled = true');
      await until('some have theirs', () => arrivals.length >= PEOPLE / 40);
      await query('update projects set enabled = false');
      const offAt = Date.now();
      const before = arrivals.length;
      await until('two seconds have gone by', () => Date.now() - offAt > 2000);
      const after = arrivals.length;
      await until('no job is left', isQuiet);
      expect(arrivals.length).toBe(after);
      expect(await waiting()).toBe(PEOPLE - after);
      const last = Math.max(...arrivals.map(({ at }) => at)) - offAt;
      await query('update projects set enabled = true');
      const onAt = Date.now();
      await until('someone has theirs again', () => arrivals.length > after);
      const first = Date.now() - onAt;
      await until('everyone has theirs', async () => (await waiting()) === 0);
      tell(
        `switched off after ${before}, ${after - before} more left, the last ${last} ms later; ${PEOPLE - after} waited, ` +
          `the first left ${first} ms after it was on again, and all were there after ${Date.now() - onAt} ms`,
      );
      expect(first).toBeLessThan(5000);
      expect(arrived(occurrence)).toHaveLength(PEOPLE);
      expect(new Set(arrivals.map(({ user }) => user)).size).toBe(PEOPLE);
      const attempts = `select 1 from deliveries where attempts <> 1 or status <> 'sent'`;
      expect(await query(attempts)).toHaveLength(0);
    },
    TEST_MS,
  );
});

describe('while a large occurrence drains', () => {
  it(
    'a critical one arrives in under a second',
    async () => {
      await start({ people: PEOPLE, workerCount: 2 });
      const bulk = await fire();
      const waits: number[] = [];
      for (const share of [0.1, 0.2, 0.3]) {
        await until('some have theirs', () => arrived(bulk).length >= PEOPLE * share);
        const firedAt = Date.now();
        const critical = await fire({ priority: 'critical', limit_to: ['user7@crowd.test'] });
        await until('the critical one is there', () => arrived(critical).length === 1);
        waits.push(arrived(critical)[0]!.at - firedAt);
        expect(arrived(bulk).length).toBeLessThan(PEOPLE);
      }
      tell(`critical ones arrived after ${waits.join(', ')} ms`);
      expect(Math.min(...waits)).toBeLessThan(1000);
    },
    TEST_MS,
  );
});

describe('a channel with a rate of 50', () => {
  it(
    'sends 50 a second, give or take a tenth, with four worker processes',
    async () => {
      const SECONDS = 8;
      await start({ people: 50 * SECONDS, workerCount: 4, config: ', rate: 50' });
      await fire();
      await until('everyone has theirs', () => arrivals.length === 50 * SECONDS, 60_000);
      const times = arrivals.map(({ at }) => at).sort((a, b) => a - b);
      const rate = (times.length - 1) / ((times.at(-1)! - times[0]!) / 1000);
      const perSecond = Array.from(
        { length: SECONDS - 1 },
        (_, i) => times.filter((at) => Math.floor((at - times[0]!) / 1000) === i).length,
      );
      tell(`${rate.toFixed(1)} a second; by second ${perSecond.join(' ')}`);
      expect(rate).toBeGreaterThan(45);
      expect(rate).toBeLessThan(55);
    },
    TEST_MS,
  );
});
