import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { sized } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import type { ReceivedRequest } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { createCrowd } from '../support/world/crowd.js';

const PEOPLE = sized(2000, 100_000);
const PATIENCE_MS = 60_000 + PEOPLE * 3;
/** Workers look four times a second whether they may go on: more than they send until then, to a provider that takes `ANSWER_MS`. */
const MOST_AFTERWARDS = 1000;
const ANSWER_MS = 100;

let database: TestDatabase;
let pool: Pool;
let sink: HttpSink;
let services: Service[] = [];
let api: Service;
let key: string;
let trigger: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url, max: 1 });
  sink = await HttpSink.start();
  ({ key, trigger } = await createCrowd(database.url, sink.url('/in'), PEOPLE));
  const env = { DATABASE_URL: database.url, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'info' };
  services = await Promise.all(['api', 'worker', 'worker'].map((ROLE) => Service.start({ ...env, ROLE })));
  api = services[0]!;
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await sink.close();
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  sink.requests.length = 0;
  sink.reply = () => ({ status: 200 });
});

async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  const headers = { authorization: `Key ${key}`, 'content-type': 'application/json' };
  const response = await fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return (await response.json()) as Answer;
}

const fire = async (options: object = {}) => (await post<{ occurrence: string }>(trigger, { options })).occurrence;

const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await pool.query(sql, values)).rows as Row[];

const waitFor = (what: string, look: () => Promise<boolean> | boolean) => until(PATIENCE_MS, look, () => what);

const dataOf = ({ body }: ReceivedRequest) => (JSON.parse(body) as { data: { occurrence: string; user: string } }).data;

const isQuiet = async () => (await query(`select 1 from jobs where state <> 'paused'`)).length === 0;

const waiting = async (occurrence: string) => {
  const sql = `select count(*)::int from deliveries where occurrence_id = $1 and status = 'pending'`;
  return (await query<{ count: number }>(sql, [occurrence]))[0]!.count;
};

/** Fires, and stops the provider when some were answered, while everyone else waits. */
async function fireAndHold(answered: number) {
  // Expanded with its notification switched off: so everyone waits before the first is sent to.
  await query('update notifications set enabled = false');
  const occurrence = await fire();
  await waitFor('everyone waits', async () => (await waiting(occurrence)) === PEOPLE && (await isQuiet()));
  const provider = sink.holdAfter(answered);
  await query('update notifications set enabled = true');
  await waitFor('some have theirs', provider.isHolding);
  return { occurrence, goOn: provider.goOn };
}

describe('while a large occurrence has all the places that are its own', () => {
  it('a critical one arrives, and does not wait for it', async () => {
    const { occurrence: bulk, goOn } = await fireAndHold(0);
    const held = sink.reply;
    sink.reply = (request) => (dataOf(request).occurrence === bulk ? held(request) : { status: 200 });
    const critical = await fire({ priority: 'critical', limit_to: ['user7@crowd.test'] });
    const arrived = () => sink.requests.filter((request) => dataOf(request).occurrence === critical);
    await waitFor('the critical one is there', () => arrived().length === 1);
    expect(await waiting(bulk)).toBe(PEOPLE);
    goOn();
    await waitFor('everyone has theirs', async () => (await waiting(bulk)) === 0 && (await isQuiet()));
    expect(sink.requests).toHaveLength(PEOPLE + 1);
  });
});

describe('an occurrence that is canceled while everyone waits', () => {
  it('sends nothing more once its workers have looked, and says of each person what became of theirs', async () => {
    const { occurrence, goOn } = await fireAndHold(50);
    await post(`/api/o/crowd/occurrences/${occurrence}/cancel/`);
    const before = sink.requests.length;
    goOn();
    sink.reply = () => ({ status: 200, delayMs: ANSWER_MS });
    await waitFor('no job is left', isQuiet);
    const after = sink.requests.length;
    expect(after - before).toBeLessThan(MOST_AFTERWARDS);
    const counts = await query<{ status: string; gate: string | null; count: number }>(
      'select status, gate, count(*)::int from deliveries where occurrence_id = $1 group by 1, 2 order by 1',
      [occurrence],
    );
    expect(counts).toEqual([
      { status: 'sent', gate: null, count: after },
      { status: 'skipped', gate: 'canceled', count: PEOPLE - after },
    ]);
  });
});

describe('a project that is switched off while everyone waits', () => {
  it('sends nothing more once its workers have looked, and each message once when it is on again', async () => {
    const { occurrence, goOn } = await fireAndHold(50);
    await query('update projects set enabled = false');
    const before = sink.requests.length;
    goOn();
    sink.reply = () => ({ status: 200, delayMs: ANSWER_MS });
    await waitFor('no job is left', isQuiet);
    const after = sink.requests.length;
    expect(after - before).toBeLessThan(MOST_AFTERWARDS);
    expect(await waiting(occurrence)).toBe(PEOPLE - after);
    await query('update projects set enabled = true');
    await waitFor('everyone has theirs', async () => (await waiting(occurrence)) === 0);
    expect(sink.requests).toHaveLength(PEOPLE);
    expect(new Set(sink.requests.map((request) => dataOf(request).user)).size).toBe(PEOPLE);
    const other = `select 1 from deliveries where occurrence_id = $1 and (attempts <> 1 or status <> 'sent')`;
    expect(await query(other, [occurrence])).toHaveLength(0);
  });
});

describe('a channel with a rate of 50', () => {
  it('lets no more than 50 a second leave, over all workers', async () => {
    const people = Array.from({ length: 100 }, (_, i) => `user${i + 1}@crowd.test`);
    await query(`update channels set config = config || '{"rate": 50}'`);
    const occurrence = await fire({ limit_to: people });
    await waitFor('everyone has theirs', () => sink.requests.length === people.length);
    // The one clock that all workers share: when it would let the next one out.
    const [clock] = await query<{ seconds: number }>(
      `select extract(epoch from s.next_send_at - o.created_at)::float8 seconds
         from channel_states s, occurrences o where o.id = $1`,
      [occurrence],
    );
    expect(clock!.seconds).toBeGreaterThanOrEqual(people.length / 50);
    await query(`update channels set config = config - 'rate'`);
  });
});
