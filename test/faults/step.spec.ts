import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IN_FLIGHT_PER_CHANNEL } from '../../src/engine/deliver/in-flight.js';
import { CHUNK } from '../../src/engine/step/time-slice.js';
import { TestApp } from '../support/app/app.js';
import { Service } from '../support/app/service.js';
import { sized } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';
import { age, isQuiet, wake } from '../support/world/steps.js';

/** A step takes more than one chunk. */
const PEOPLE = sized(CHUNK + 200, 20 * CHUNK);
const PATIENCE_MS = 60_000 + PEOPLE * 10;
const ANN = 'user1@crowd.test';

interface Kind {
  name: string;
  notification: object;
  /** So many minutes after the messages before, it is due. */
  minutes: number;
  /** The messages over the webhook that each has before. */
  before: number;
}

const KINDS: Kind[] = [
  {
    name: 'a step',
    notification: {
      distribution_lists: ['All'],
      steps: [{ channels: ['box'] }, { after: '10m', unless: 'read', channels: ['hook'] }],
    },
    minutes: 10,
    before: 0,
  },
  {
    name: 'a repetition',
    notification: {
      distribution_lists: ['All'],
      steps: [
        { channels: ['hook'], unless: 'acknowledged', repeat: { every: '10m', times: 2 } },
        { after: '1h', channels: ['box'] },
      ],
    },
    minutes: 10,
    before: 1,
  },
  {
    name: 'a step with users of its own',
    notification: {
      audience: { field: 'email', is: ANN },
      steps: [
        { channels: ['box'] },
        { after: '10m', unless: 'read', to: { distribution_lists: ['All'] }, channels: ['hook'] },
      ],
    },
    minutes: 10,
    before: 0,
  },
];

let app: TestApp;
let sink: HttpSink;
let key: string;
let events: string;
let worker: Service;

beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'api' });
  sink = await HttpSink.start();
  // Longer than the provider is held for.
  const config = { timeout_seconds: 30 };
  const crowd = await createCrowd(app.databaseUrl, sink.url('/in'), PEOPLE, config);
  key = crowd.key;
  events = crowd.trigger.replace('e/trigger/', '');
  await post('/api/o/crowd/c/', { slug: 'box', name: 'Box', type: 'inbox', config: {} });
  for (const [i, { name, notification }] of KINDS.entries()) {
    await post(events, { slug: `kind-${i}`, name });
    const templates = ['box', 'hook'].map((channel) => ({ channel, per: 'person', text: '{{ user.email }}' }));
    await post(`${events}kind-${i}/n/`, { name, templates, ...notification });
  }
  worker = await startWorker();
});

afterAll(async () => {
  await worker.stop();
  await sink.close();
  await app.stop();
});

beforeEach(() => {
  sink.requests.length = 0;
  sink.reply = () => ({ status: 200 });
});

const startWorker = () =>
  Service.start({
    ...{ DATABASE_URL: app.databaseUrl, ROLE: 'worker' },
    ...{ OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'info' },
  });

async function post(path: string, body: object): Promise<Record<string, string>> {
  const { body: answer } = await app.as(key).post(path).send(body).expect(201);
  return answer as Record<string, string>;
}

const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.pool.query(sql, values)).rows as Row[];

const waitFor = (what: string, look: () => Promise<boolean> | boolean) =>
  until(PATIENCE_MS, look, () => `${what}: ${worker.output.slice(-3000)}`);

const count = async (occurrence: string, more: string) => {
  const sql = `
    select count(*)::int from deliveries d join channels c on c.id = d.channel_id
    where d.occurrence_id = $1 and c.slug = 'hook' and d.status = 'sent' and ${more}`;
  return (await query<{ count: number }>(sql, [occurrence]))[0]!.count;
};

/** Triggers, and waits until nothing is left to be done but the step. */
async function fire(kind: Kind): Promise<string> {
  const { occurrence } = await post(`${events}kind-${KINDS.indexOf(kind)}/trigger/`, {});
  const first = `select from occurrences where id = $1 and status = 'expanded'`;
  await waitFor('it is expanded', async () => (await query(first, [occurrence!])).length === 1);
  await waitFor('the first step is sent', () => isQuiet(app.pool, occurrence!));
  expect(await count(occurrence!, 'true')).toBe(kind.before * PEOPLE);
  await age(app.pool, occurrence!, kind.minutes);
  return occurrence!;
}

/** Holds the message of one user, until `work` is done: whoever creates or repeats it waits in the middle of its statement. */
const holding = (occurrence: string, user: string, work: () => Promise<void>) =>
  withClient(app.databaseUrl, async (client) => {
    await client.query('begin');
    const hold = `
      insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
      select o.id, o.organization_id, n.id, c.id, u.id, 'pending'
      from occurrences o join notifications n on n.event_id = o.event_id, channels c, users u
      where o.id = $1 and c.slug = 'hook' and u.email = $2
      on conflict (occurrence_id, notification_id, channel_id, user_id) do update set user_id = excluded.user_id`;
    expect((await client.query(hold, [occurrence, user])).rowCount).toBe(1);
    await work();
    await client.query('rollback');
  });

const WAITING = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

async function killInStatement({ minutes }: Kind, occurrence: string): Promise<void> {
  await wake(app.pool, occurrence, minutes);
  await waitFor('the statement of the step waits', async () => (await query(WAITING)).length > 0);
  await worker.stop('SIGKILL');
}

const undo = async () => {
  await query(`select pg_terminate_backend(pid) from (${WAITING}) w`);
  await waitFor('the statement is undone', async () => (await query(WAITING)).length === 0);
};

/** A phase of a step, in which its worker is killed. Another one is running afterwards. */
const PHASES: Record<string, (kind: Kind, occurrence: string) => Promise<void>> = {
  'before its statement ends, which is undone': async (kind, occurrence) => {
    await holding(occurrence, ANN, () => killInStatement(kind, occurrence).then(undo));
    worker = await startWorker();
  },
  // PostgreSQL does not know that nobody waits for its answer.
  'before its statement ends, which happens after all': async (kind, occurrence) => {
    await holding(occurrence, ANN, () => killInStatement(kind, occurrence));
    worker = await startWorker();
  },
  'between two chunks': async (kind, occurrence) => {
    const secondChunk = `user${CHUNK + 100}@crowd.test`;
    await holding(occurrence, secondChunk, () => killInStatement(kind, occurrence).then(undo));
    worker = await startWorker();
  },
  'while its messages are in flight': async ({ minutes }, occurrence) => {
    const provider = sink.holdAfter(300);
    await wake(app.pool, occurrence, minutes);
    await waitFor('some are answered', provider.isHolding);
    await worker.stop('SIGKILL');
    provider.goOn();
    worker = await startWorker();
  },
};

describe.each(KINDS)('a worker is killed in $name', (kind) => {
  it.each(Object.entries(PHASES))('%s: and everybody gets its message, once', async (phase, play) => {
    const occurrence = await fire(kind);
    sink.requests.length = 0;
    await play(kind, occurrence);
    const isTold = kind.before > 0 ? 'd.repetition = 1' : 'true';
    await waitFor('everybody is told', async () => (await count(occurrence, isTold)) === PEOPLE);
    await waitFor('nothing is left to be done', () => isQuiet(app.pool, occurrence));
    // Nothing is created twice: neither the messages nor, by a repetition that is counted twice, further ones.
    const [attempts] = await query<object>(
      `select count(*)::int attempts, count(distinct delivery_id)::int messages
       from attempts a join deliveries d on d.id = a.delivery_id join channels c on c.id = d.channel_id
       where d.occurrence_id = $1 and c.slug = 'hook' and a.outcome = 'sent'`,
      [occurrence],
    );
    expect(attempts).toEqual({ attempts: (kind.before + 1) * PEOPLE, messages: PEOPLE });
    const ids = sink.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(PEOPLE);
    // Only what was in flight at the kill, or sent and not yet written, arrives again: under the same id.
    const isSending = !phase.startsWith('before');
    expect(ids.length - PEOPLE).toBeLessThanOrEqual(isSending ? 2 * IN_FLIGHT_PER_CHANNEL : 0);
    const jobs = `select from jobs where payload->>'occurrence' = $1`;
    // The second repetition is still to come.
    expect(await query(jobs, [occurrence])).toHaveLength(kind.before);
  });
});
