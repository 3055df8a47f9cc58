import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { IN_FLIGHT } from '../../src/pipeline/deliver/in-flight.js';
import { createCrowd } from '../support/crowd.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { HttpSink } from '../support/http-sink.js';
import { RestartablePostgres } from '../support/restartable-postgres.js';
import { Service } from '../support/service.js';

// The short form; the long one is PEOPLE=100000 npm test -- test/faults/pipeline
const PEOPLE = Number(process.env.PEOPLE ?? 4000);
const KILLS = 3;
const TEST_MS = 240_000 + PEOPLE * 6;

let folder: TestFolder;
let postgres: RestartablePostgres;
let sink: HttpSink;
let env: Record<string, string>;
let key: string;
let trigger: string;
let workers: Service[] = [];
let api: Service;

beforeAll(async () => {
  folder = createFolder();
  postgres = await RestartablePostgres.start(folder.path);
  sink = await HttpSink.start();
  env = { DATABASE_URL: postgres.url, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn' };
  ({ key, trigger } = await createCrowd(postgres.url, sink.url('/in'), PEOPLE));
  api = await Service.start({ ...env, ROLE: 'api', LOG_LEVEL: 'info' });
}, 120_000);

afterAll(async () => {
  await api.stop();
  await sink.close();
  await postgres.stop();
  folder.remove();
}, 60_000);

const startWorker = () => Service.start({ ...env, ROLE: 'worker', LOG_LEVEL: 'info' });

beforeEach(async () => {
  sink.requests.length = 0;
  sink.reply = () => ({ status: 200 });
  workers = await Promise.all([startWorker(), startWorker()]);
}, 60_000);

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
}, 60_000);

async function fire(body: object = {}): Promise<string> {
  const headers = { authorization: `Key ${key}`, 'content-type': 'application/json' };
  const response = await fetch(api.url + trigger, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return ((await response.json()) as { occurrence: string }).occurrence;
}

async function query<Row>(sql: string, values: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  ms = 60_000 + PEOPLE * 3,
): Promise<void> {
  const deadline = Date.now() + ms;
  for (;;) {
    const holds = await Promise.resolve(condition()).catch(() => false);
    if (holds) return;
    if (Date.now() > deadline) {
      const output = [api, ...workers].map(
        (service) => `${service.running ? 'running' : 'ENDED'}: ${service.output.slice(-3000)}`,
      );
      throw new Error(`waited in vain until ${what}\n${output.join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const received = (count: number) => until(`${count} messages arrived`, () => sink.requests.length >= count);

const allSent = (occurrence: string) =>
  until('everyone was sent theirs', async () => {
    const [row] = await query<{ n: number }>(
      `select count(*)::int n from deliveries where occurrence_id = $1 and status = 'sent'`,
      [occurrence],
    );
    return row!.n === PEOPLE;
  });

/** How often each person was reached, as the sink saw it. */
function reached(): { people: number; repeats: number } {
  const ids = sink.requests.map(({ headers }) => headers['webhook-id']);
  const people = new Set(ids).size;
  return { people, repeats: ids.length - people };
}

async function nothingLeft(occurrence: string): Promise<void> {
  const [row] = await query<{ rows: number; people: number }>(
    'select count(*)::int rows, count(distinct user_id)::int people from deliveries where occurrence_id = $1',
    [occurrence],
  );
  expect(row).toEqual({ rows: PEOPLE, people: PEOPLE });
  await until(
    'no job is left',
    async () => (await query('select 1 from graphile_worker._private_jobs', [])).length === 0,
    30_000,
  );
}

const tell = (line: string) => process.stdout.write(`${PEOPLE} people: ${line}\n`);

describe('a worker is killed', () => {
  it(
    'three times in the middle, and nobody is left out',
    async () => {
      const occurrence = await fire();
      for (let kill = 1; kill <= KILLS; kill++) {
        await received((PEOPLE * kill) / (KILLS + 1));
        const victim = workers.splice(Math.floor(Math.random() * workers.length), 1)[0]!;
        await victim.stop('SIGKILL');
        workers.push(await startWorker());
      }
      await allSent(occurrence);
      const { people, repeats } = reached();
      tell(`${KILLS} kills, ${sink.requests.length} messages, ${repeats} repeated`);
      expect(people).toBe(PEOPLE);
      expect(repeats).toBeLessThanOrEqual(KILLS * 4 * IN_FLIGHT);
      await nothingLeft(occurrence);
    },
    TEST_MS,
  );

  it(
    'and its work goes on elsewhere within 30 seconds',
    async () => {
      sink.reply = () => ({ status: 200, delayMs: 20 });
      const occurrence = await fire();
      await received(PEOPLE / 10);
      const [victim] = workers.splice(0, 1);
      await victim!.stop('SIGKILL');
      const killedAt = Date.now();
      const locked = () =>
        query('select 1 from graphile_worker._private_jobs where locked_by is not null and locked_at < $1', [
          new Date(killedAt),
        ]);
      await until('the jobs of the dead worker are taken over', async () => (await locked()).length === 0, 30_000);
      tell(`jobs of a killed worker came back after ${Date.now() - killedAt} ms`);
      sink.reply = () => ({ status: 200 });
      await allSent(occurrence);
      expect(reached().people).toBe(PEOPLE);
    },
    TEST_MS,
  );
});

describe('a worker that has a message in hand is killed', () => {
  it(
    'and another one sends it, though it never was in the queue for others',
    async () => {
      sink.reply = () => 'silence';
      const [person] = await query<{ email: string }>('select email from users order by id limit 1', []);
      const occurrence = await fire({ options: { limit_to: [person!.email] } });
      await received(1);
      await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGKILL')));
      const killedAt = Date.now();
      sink.reply = () => ({ status: 200 });
      workers.push(await startWorker());
      await received(2);
      tell(`a message in the hand of a killed worker was sent again after ${Date.now() - killedAt} ms`);
      expect(Date.now() - killedAt).toBeLessThan(30_000);
      expect(reached()).toEqual({ people: 1, repeats: 1 });
      const isSent = `select 1 from deliveries where occurrence_id = $1 and status = 'sent' and attempts = 1`;
      await until('it is written', async () => (await query(isSent, [occurrence])).length === 1, 10_000);
    },
    TEST_MS,
  );
});

describe('PostgreSQL is restarted', () => {
  it(
    'twice under load: no process ends, and nobody is left out',
    async () => {
      const occurrence = await fire();
      for (const share of [0.25, 0.6]) {
        await received(PEOPLE * share);
        await postgres.restart();
      }
      await allSent(occurrence);
      const { people, repeats } = reached();
      tell(`2 restarts of PostgreSQL, ${sink.requests.length} messages, ${repeats} repeated`);
      expect(people).toBe(PEOPLE);
      expect([api, ...workers].every((service) => service.running)).toBe(true);
      await nothingLeft(occurrence);
      await until('the API answers again', async () => (await fetch(`${api.url}/health/ready`)).status === 200, 30_000);
    },
    TEST_MS,
  );
});

describe('a worker is told to stop', () => {
  it(
    'while its provider does not answer: it exits with 0 within 20 seconds, and nobody is left out',
    async () => {
      sink.reply = () => 'silence';
      const occurrence = await fire();
      await received(20);
      const started = Date.now();
      const codes = await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGTERM')));
      const tookMs = Date.now() - started;
      tell(`2 workers of a silent provider stopped in ${tookMs} ms`);
      expect(codes).toEqual([0, 0]);
      expect(tookMs).toBeLessThan(20_000);
      sink.reply = () => ({ status: 200 });
      workers = [await startWorker()];
      await allSent(occurrence);
      expect(reached().people).toBe(PEOPLE);
      await nothingLeft(occurrence);
    },
    TEST_MS,
  );

  it(
    'under load: it exits with 0 within 20 seconds, nothing repeats, the rest is sent by others',
    async () => {
      const occurrence = await fire();
      await received(PEOPLE / 4);
      const started = Date.now();
      const codes = await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGTERM')));
      const tookMs = Date.now() - started;
      expect(codes).toEqual([0, 0]);
      expect(tookMs).toBeLessThan(20_000);
      workers = [await startWorker()];
      await allSent(occurrence);
      const { people, repeats } = reached();
      tell(`2 workers stopped in ${tookMs} ms, ${repeats} repeated`);
      expect([people, repeats]).toEqual([PEOPLE, 0]);
      await nothingLeft(occurrence);
    },
    TEST_MS,
  );
});
