import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { IN_FLIGHT_PER_CHANNEL } from '../../src/engine/deliver/in-flight.js';
import { RENEW_RULESET } from '../../src/api/notification/notification.sql.js';
import { BUILT_IN } from '../../src/api/notification/renew-ruleset.js';
import { migrate } from '../../src/platform/database/migration/migrate.js';
import { RestartablePostgres } from '../support/app/restartable-postgres.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { sized } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';

const PEOPLE = sized(600, 100_000);
const KILLS = sized(2, 3);
const PATIENCE_MS = 60_000 + PEOPLE * 3;

let folder: TestFolder;
let postgres: RestartablePostgres;
let pool: Pool;
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
  await migrate(postgres.url);
  pool = new Pool({ connectionString: postgres.url, max: 1 });
  pool.on('error', () => undefined); // PostgreSQL is restarted
  // Longer than the provider is held for.
  const config = { timeout_seconds: 30 };
  ({ key, trigger } = await createCrowd(postgres.url, sink.url('/in'), PEOPLE, config));
  api = await Service.start({ ...env, ROLE: 'api', LOG_LEVEL: 'info' });
});

afterAll(async () => {
  await Promise.all([api, ...workers].map((service) => service.stop()));
  await sink.close();
  await pool.end();
  await postgres.stop();
  folder.remove();
});

const startWorker = () => Service.start({ ...env, ROLE: 'worker', LOG_LEVEL: 'info' });

beforeEach(() => {
  sink.requests.length = 0;
  sink.reply = () => ({ status: 200 });
});

/** Each test leaves at least one worker; some need two. */
const haveTwoWorkers = async () => {
  const missing = Array.from({ length: 2 - workers.length }, startWorker);
  workers.push(...(await Promise.all(missing)));
};

async function post(path: string, body: object): Promise<{ occurrence: string }> {
  const headers = { authorization: `Key ${key}`, 'content-type': 'application/json' };
  const response = await fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return (await response.json()) as { occurrence: string };
}

const fire = async (body: object = {}) => (await post(trigger, body)).occurrence;

/** Triggers an event that is new, and posts to the webhook as to a room. */
async function fireToRoom(): Promise<string> {
  const events = trigger.replace('e/trigger/', '');
  await post(events, { slug: 'room', name: 'Room' });
  await post(`${events}room/n/`, { name: 'Post', templates: [{ channel: 'hook', text: 'Hi' }] });
  return (await post(`${events}room/trigger/`, {})).occurrence;
}

const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await pool.query(sql, values)).rows as Row[];

/** What a failed wait tells: all that the processes have said of late. */
const outputs = (what: string) => () =>
  [what, ...[api, ...workers].map((each) => `${each.running ? 'running' : 'ENDED'}: ${each.output.slice(-3000)}`)].join(
    '\n',
  );

/** PostgreSQL may be away for a while. */
const waitFor = (what: string, look: () => Promise<boolean> | boolean, patienceMs = PATIENCE_MS) =>
  until(patienceMs, async () => Promise.resolve(look()).catch(() => false), outputs(what));

const received = (count: number) => waitFor(`${count} messages arrived`, () => sink.requests.length >= count);

/** Stops them; promised is an end within 20 seconds, whatever they do. */
async function stopped(services: Service[]): Promise<(number | null)[]> {
  const codes = Promise.all(services.map((service) => service.stop('SIGTERM')));
  await waitFor('they have ended', () => services.every(({ running }) => !running), 20_000);
  return codes;
}

const allSent = (occurrence: string) =>
  waitFor('everyone was sent theirs', async () => {
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
  await waitFor('no job is left', async () => (await query('select 1 from jobs')).length === 0, 30_000);
}

/** Fires, and stops the provider when so much of all was answered: what happens then happens in the middle. */
async function fireAndHold(share: number): Promise<{ occurrence: string; goOn(): void }> {
  const provider = sink.holdAfter(PEOPLE * share);
  const occurrence = await fire();
  await waitFor(`${share} of all were answered`, provider.isHolding);
  return { occurrence, goOn: provider.goOn };
}

const isTakenOver = async (killedAt: Date) => {
  const held = `select 1 from jobs where state = 'running' and taken_at < $1`;
  return (await query(held, [killedAt])).length === 0;
};

describe('a worker is killed', () => {
  it(`${KILLS} times in the middle: its work goes on elsewhere within 30 seconds, and nobody is left out`, async () => {
    await haveTwoWorkers();
    let { occurrence, goOn } = await fireAndHold(1 / (KILLS + 1));
    for (let kill = 1; kill <= KILLS; kill++) {
      const victim = workers.splice(Math.floor(Math.random() * workers.length), 1)[0]!;
      await victim.stop('SIGKILL');
      const killedAt = new Date();
      if (kill < KILLS) {
        const provider = sink.holdAfter(PEOPLE / (KILLS + 1));
        goOn();
        workers.push(await startWorker());
        await waitFor('the next ones were answered', provider.isHolding);
        ({ goOn } = provider);
      } else {
        goOn();
        sink.reply = () => ({ status: 200 });
        workers.push(await startWorker());
        await waitFor('the jobs of the killed one are taken over', () => isTakenOver(killedAt), 30_000);
      }
    }
    await allSent(occurrence);
    const { people, repeats } = reached();
    expect(people).toBe(PEOPLE);
    // In the hands of each, and sent but not yet written.
    expect(repeats).toBeLessThanOrEqual(KILLS * 2 * IN_FLIGHT_PER_CHANNEL);
    await nothingLeft(occurrence);
  });
});

describe('a worker that has a message in hand is killed', () => {
  it('and another one sends it within 30 seconds, to a person and to a room, though it never was in the queue for others', async () => {
    sink.reply = () => 'silence';
    const [person] = await query<{ email: string }>('select email from users order by id limit 1');
    const occurrences = [await fire({ options: { limit_to: [person!.email] } }), await fireToRoom()];
    await received(2);
    await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGKILL')));
    sink.reply = () => ({ status: 200 });
    workers.push(await startWorker());
    await waitFor('both are sent again', () => sink.requests.length === 4, 30_000);
    const isSent = `select user_id > 0 person from deliveries where occurrence_id = any($1) and status = 'sent' and attempts = 1 order by 1`;
    await waitFor('both are written', async () => (await query(isSent, [occurrences])).length === 2);
    expect(await query(isSent, [occurrences])).toEqual([{ person: false }, { person: true }]);
    await waitFor('no job is left', async () => (await query('select 1 from jobs')).length === 0, 30_000);
    expect(reached()).toEqual({ people: 2, repeats: 2 });
  });
});

describe('a worker is killed while digests are closed', () => {
  const changeRule = async (digest: object | null, text: string) => {
    const [event] = await query<{ id: number }>(`select id from events where slug = 'e'`);
    const ofEvent = 'select id from notifications where event_id = $2';
    await query('update notifications set digest = $1 where event_id = $2', [digest, event!.id]);
    await query(`update templates set text = $1 where notification_id in (${ofEvent})`, [text, event!.id]);
    await query(RENEW_RULESET, [event!.id, BUILT_IN]);
  };

  it('and each item of each person is in exactly one digest, which arrives', async () => {
    const text = `{{ user.email }}{% for item in digest.items %} {{ item.n }}{% endfor %}`;
    await changeRule({ window: 3600, max_items: 50, first: 'wait' }, text);
    const triggers = 3;
    const people = await query<{ email: string }>('select email from users order by id limit 150');
    const options = { limit_to: people.map(({ email }) => email) };
    const items = triggers * people.length;
    for (let n = 0; n < triggers; n++) await fire({ context: { n }, options });
    const gathered = async () => (await query<{ n: number }>('select sum(items)::int n from digests'))[0]!.n;
    await waitFor('all are gathered', async () => (await gathered()) === items);
    expect(sink.requests).toHaveLength(0);
    await query('update digests set due_at = now()');
    await withClient(postgres.url, async (client) => {
      // Nobody can add a job now: whoever closes digests stops in the middle.
      await client.query('begin; lock table jobs in share mode');
      const closing = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%with closed%'`;
      await waitFor('digests are being closed', async () => (await query(closing)).length > 0);
      await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGKILL')));
    });
    expect(await gathered()).toBeGreaterThan(0);
    workers.push(await startWorker());
    await waitFor('all are closed', async () => (await query('select 1 from digests')).length === 0);
    const isOver = `select 1 from deliveries where status = 'pending' limit 1`;
    await waitFor('all are sent', async () => (await query(isOver)).length === 0);
    const digests = new Map<string, string>();
    for (const { body } of sink.requests) {
      const { data } = JSON.parse(body) as { data: { occurrence: string; text: string } };
      digests.set(data.occurrence, data.text);
    }
    const arrived = [...digests.values()].flatMap((words) => {
      const [user, ...numbers] = words.split(' ');
      return numbers.map((n) => `${user} ${n}`);
    });
    expect(arrived).toHaveLength(items);
    expect(new Set(arrived).size).toBe(items);
  });

  afterAll(() => changeRule(null, '{{ user.email }}'));
});

describe('PostgreSQL is restarted', () => {
  it('twice under load: no process ends, and nobody is left out', async () => {
    await haveTwoWorkers();
    const { occurrence, goOn } = await fireAndHold(0.25);
    await postgres.restart();
    const second = sink.holdAfter(PEOPLE * 0.35);
    goOn();
    await waitFor('the next ones were answered', second.isHolding);
    await postgres.restart();
    second.goOn();
    await allSent(occurrence);
    expect(reached().people).toBe(PEOPLE);
    expect([api, ...workers].every((service) => service.running)).toBe(true);
    await nothingLeft(occurrence);
    const isReady = async () => (await fetch(`${api.url}/health/ready`)).status === 200;
    await waitFor('the API answers again', isReady, 30_000);
  });
});

describe('a worker is told to stop', () => {
  it('while its provider does not answer: it exits with 0 within 20 seconds, and nobody is left out', async () => {
    sink.reply = () => 'silence';
    await query(`update channels set config = config || '{"timeout_seconds": 2}'`);
    const occurrence = await fire();
    await received(20);
    const all = workers.splice(0);
    expect(await stopped(all)).toEqual(all.map(() => 0));
    sink.reply = () => ({ status: 200 });
    workers.push(await startWorker());
    await allSent(occurrence);
    expect(reached().people).toBe(PEOPLE);
    await nothingLeft(occurrence);
    await query(`update channels set config = config || '{"timeout_seconds": 30}'`);
  });

  it('under load: it exits with 0 within 20 seconds, nothing repeats, the rest is sent by others', async () => {
    const { occurrence, goOn } = await fireAndHold(0.25);
    const all = workers.splice(0);
    const codes = stopped(all);
    goOn();
    expect(await codes).toEqual(all.map(() => 0));
    expect(sink.requests.length).toBeLessThan(PEOPLE);
    workers.push(await startWorker());
    await allSent(occurrence);
    const { people, repeats } = reached();
    expect([people, repeats]).toEqual([PEOPLE, 0]);
    await nothingLeft(occurrence);
  });
});
