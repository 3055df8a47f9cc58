import { describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS } from '../../src/platform/queue/worker.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (sink) => (hooks = sink),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const tenantOf = (people = [ANN, BOB]) =>
  Tenant.create(app, {
    channels: [webhook('hook', hooks.url())],
    lists: [{ name: 'Staff', members: people }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'Order {{ order }}' }] },
    ],
  });

const steer = (tenant: Tenant, occurrence: string, verb: 'cancel' | 'retry' | 'replay', body?: object) =>
  app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${occurrence}/${verb}/`).send(body);

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

const statusOf = async (occurrence: string) => {
  const { rows } = await app.pool.query<{ status: string }>('select status from occurrences where id = $1', [
    occurrence,
  ]);
  return rows[0]!.status;
};

/** As if its time had come: scheduled jobs are due now. */
async function travelToSchedule(): Promise<void> {
  await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
}

describe('a scheduled occurrence', () => {
  it('leaves at its time and not before', async () => {
    const tenant = await tenantOf([ANN]);
    const sendAt = inSeconds(2);
    let arrivedAt = 0;
    hooks.reply = () => {
      arrivedAt = Date.now();
      return { status: 200 };
    };
    const occurrence = await tenant.trigger({}, { send_at: sendAt });
    await until(15_000, () => arrivedAt);
    expect(arrivedAt).toBeGreaterThanOrEqual(Date.parse(sendAt));
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }]);
  });

  it('that was canceled never leaves', async () => {
    const tenant = await tenantOf();
    const occurrence = await tenant.trigger({}, { send_at: inSeconds(3600) });
    expect((await steer(tenant, occurrence, 'cancel')).body).toEqual({ occurrence, status: 'canceled' });
    await travelToSchedule();
    await queueIsEmpty(app);
    expect(hooks.requests).toHaveLength(0);
    expect(await statusOf(occurrence)).toBe('canceled');
    expect(await tenant.deliveries(occurrence)).toEqual([]);
  });
});

describe('canceling', () => {
  it('ends what waits for its retry, and leaves alone what was sent', async () => {
    hooks.reply = ({ body }) => ({ status: body.includes(BOB) ? 500 : 200 });
    const tenant = await tenantOf();
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 1);
    expect((await steer(tenant, occurrence, 'cancel')).status).toBe(200);
    expect(await tenant.settled(occurrence, 15_000, 'canceled')).toMatchObject([
      { user: ANN, status: 'sent', gate: null },
      { user: BOB, status: 'skipped', gate: 'canceled', attempts: 1, nextAttemptAt: null },
    ]);
    await travelToSchedule();
    await queueIsEmpty(app);
    expect(hooks.requests).toHaveLength(2);
  });

  it('twice is the same as once; after the end it is a conflict', async () => {
    const tenant = await tenantOf();
    const scheduled = await tenant.trigger({}, { send_at: inSeconds(3600) });
    expect((await steer(tenant, scheduled, 'cancel')).status).toBe(200);
    expect((await steer(tenant, scheduled, 'cancel')).status).toBe(200);
    const done = await tenant.trigger();
    await tenant.settled(done);
    expect(await steer(tenant, done, 'cancel')).toMatchObject({ status: 409 });
  });

  it('says of a message that was in flight what became of it', async () => {
    hooks.reply = () => ({ status: 200, delayMs: 1500 });
    const tenant = await tenantOf([ANN]);
    const occurrence = await tenant.trigger();
    await until(15_000, () => hooks.requests.length > 0);
    expect((await steer(tenant, occurrence, 'cancel')).status).toBe(200);
    await until(15_000, async () => (await tenant.deliveries(occurrence))[0]?.status === 'sent');
    expect(await tenant.deliveries(occurrence)).toMatchObject([{ status: 'sent', gate: null, attempts: 1 }]);
  });
});

describe('canceling what failed halfway', () => {
  it('stops what had been made', async () => {
    hooks.reply = () => ({ status: 500 });
    const tenant = await tenantOf();
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 1);
    await app.pool.query(`update occurrences set status = 'failed' where id = $1`, [occurrence]);
    expect((await steer(tenant, occurrence, 'cancel')).status).toBe(200);
    expect(await tenant.settled(occurrence, 15_000, 'canceled')).toMatchObject([
      { gate: 'canceled' },
      { gate: 'canceled' },
    ]);
  });
});

describe('a message that is too late', () => {
  it('ends as expired', async () => {
    const tenant = await tenantOf([ANN]);
    const occurrence = await tenant.triggerExpired();
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'skipped', gate: 'expired', attempts: 0 }]);
    expect(hooks.requests).toHaveLength(0);
  });
});

describe('retrying', () => {
  it('brings all that is dead back, with a schedule that starts anew', async () => {
    hooks.reply = () => ({ status: 410, body: 'gone' });
    const tenant = await tenantOf();
    const occurrence = await tenant.trigger();
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'dead' }, { status: 'dead' }]);
    hooks.reply = () => ({ status: 500 });
    expect((await steer(tenant, occurrence, 'retry')).body).toEqual({ retrying: 2 });
    const [first] = await until(15_000, async () => {
      const rows = await tenant.deliveries(occurrence);
      return rows.every(({ attempts }) => attempts === 2) && rows;
    });
    expect(first!.nextAttemptAt!.getTime() - Date.now()).toBeLessThan(7000);
    hooks.reply = () => ({ status: 200 });
    await travelToNextAttempt(app);
    expect(await tenant.settled(occurrence)).toMatchObject([
      { status: 'sent', attempts: 3, reason: null },
      { status: 'sent', attempts: 3, reason: null },
    ]);
  });

  it('brings one delivery back, and says why another cannot be', async () => {
    hooks.reply = ({ body }) => ({ status: body.includes(BOB) ? 410 : 200 });
    const tenant = await tenantOf();
    const occurrence = await tenant.trigger();
    const [ann, bob] = await tenant.settled(occurrence);
    hooks.reply = () => ({ status: 200 });
    expect(await steer(tenant, occurrence, 'retry', { delivery: Number(ann!.id) })).toMatchObject({
      status: 409,
      body: { detail: 'Only a dead delivery can be tried again; this one is sent.' },
    });
    expect(await steer(tenant, occurrence, 'retry', { delivery: 999_999_999 })).toMatchObject({ status: 404 });
    expect(await steer(tenant, occurrence, 'retry', { delivery: 'x' })).toMatchObject({
      status: 400,
      body: { errors: { delivery: ['must be the id of a delivery'] } },
    });
    expect((await steer(tenant, occurrence, 'retry', { delivery: Number(bob!.id) })).body).toEqual({ retrying: 1 });
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }, { status: 'sent', attempts: 2 }]);
  });

  it('is a conflict once it was canceled, and nothing when nothing is dead', async () => {
    const tenant = await tenantOf();
    const canceled = await tenant.trigger({}, { send_at: inSeconds(3600) });
    await steer(tenant, canceled, 'cancel');
    expect(await steer(tenant, canceled, 'retry')).toMatchObject({ status: 409 });
    const done = await tenant.trigger();
    await tenant.settled(done);
    expect((await steer(tenant, done, 'retry')).body).toEqual({ retrying: 0 });
  });

  it('of some does not send those between them', async () => {
    const people = Array.from({ length: 60 }, (_, i) => `user-${String(i).padStart(2, '0')}@acme.test`);
    hooks.reply = ({ body }) => ({ status: /user-(00|59)@/.test(body) ? 410 : 200 });
    const tenant = await tenantOf(people);
    const occurrence = await tenant.trigger();
    const noJobs = () =>
      until(15_000, async () => {
        const jobs = `select from jobs where payload->>'occurrence' = $1 or state = 'running'`;
        return (await app.pool.query(jobs, [occurrence])).rowCount === 0;
      });
    await tenant.settled(occurrence);
    await noJobs();
    // As if they were due, and about to be sent by a job of their own.
    await app.pool.query(`update deliveries set status = 'pending' where occurrence_id = $1 and status = 'sent'`, [
      occurrence,
    ]);
    hooks.requests.length = 0;
    hooks.reply = () => ({ status: 200 });
    expect((await steer(tenant, occurrence, 'retry')).body).toEqual({ retrying: 2 });
    await until(15_000, () => hooks.requests.length >= 2);
    await noJobs();
    const users = hooks.requests.map(({ body }) => (JSON.parse(body) as { data: { user: string } }).data.user);
    expect(users.sort()).toEqual([people[0], people[59]]);
  });

  /** While the table is away, jobs of the pipeline fail, and those that wait for another attempt have only that one left. */
  async function withoutTable(table: string, condition: () => Promise<boolean>): Promise<void> {
    await app.pool.query(`alter table ${table} rename to ${table}_away`);
    await until(30_000, async () => {
      await app.pool.query(
        `update jobs set attempts = greatest(attempts, ${MAX_ATTEMPTS}), run_at = now() where attempts > 0 and state = 'scheduled'`,
      );
      return condition();
    });
    await app.pool.query(`alter table ${table}_away rename to ${table}`);
  }

  it('lets an occurrence go on whose expansion failed at every attempt', async () => {
    const tenant = await tenantOf();
    const occurrence = await tenant.trigger({}, { send_at: inSeconds(1) });
    await withoutTable('rulesets', async () => (await statusOf(occurrence)) === 'failed');
    await steer(tenant, occurrence, 'retry');
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
  });

  it('brings back what a job has left that failed at every attempt', async () => {
    const tenant = await tenantOf([ANN]);
    const occurrence = await tenant.trigger({}, { send_at: inSeconds(1) });
    await withoutTable('channel_states', async () => (await tenant.deliveries(occurrence))[0]?.status === 'dead');
    expect(await tenant.settled(occurrence)).toMatchObject([
      { reason: 'given up: the job failed at every attempt; see the worker log' },
    ]);
    await steer(tenant, occurrence, 'retry');
    await until(15_000, async () => (await tenant.deliveries(occurrence))[0]?.status === 'sent');
  });
});

describe('replaying', () => {
  it('is a new occurrence with the same context and the rules of today', async () => {
    const tenant = await tenantOf([ANN]);
    const first = await tenant.trigger({ order: 'A-17' }, { limit_to: [ANN], expires_at: inSeconds(60) });
    await tenant.settled(first);
    await tenant.apply({
      notifications: [
        { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'Again {{ order }}' }] },
      ],
    });
    const { status, body } = await steer(tenant, first, 'replay');
    const { occurrence } = body as { occurrence: string };
    expect([status, occurrence === first]).toEqual([201, false]);
    expect(await tenant.settled(occurrence)).toMatchObject([{ user: ANN, status: 'sent' }]);
    const texts = hooks.requests.map((request) => (JSON.parse(request.body) as { data: { text: string } }).data.text);
    expect(texts).toEqual(['Order A-17', 'Again A-17']);
    const { rows } = await app.pool.query('select options from occurrences where id = $1', [occurrence]);
    expect(rows).toEqual([{ options: { limit_to: [ANN] } }]);
  });

  it('goes to one user only, and with one notification only, if you say so', async () => {
    const tenant = await tenantOf();
    await tenant.apply({
      notifications: [
        { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'Order {{ order }}' }] },
        { name: 'Thank', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'Thanks {{ order }}' }] },
        { name: 'Room', templates: [{ channel: 'hook', per: 'room', text: 'Room {{ order }}' }] },
      ],
    });
    const first = await tenant.trigger({ order: 'A-17' }, { limit_to: [BOB], rooms: true });
    await tenant.settled(first);
    hooks.requests.length = 0;
    const { status, body } = await steer(tenant, first, 'replay', {
      limit_to: ['ANN@acme.test'],
      notifications: ['Thank', 'Room'],
    });
    expect(status).toBe(201);
    const { occurrence } = body as { occurrence: string };
    expect(await tenant.settled(occurrence)).toMatchObject([{ user: ANN, notification: 'Thank', status: 'sent' }]);
    expect(hooks.requests).toHaveLength(1);
    const explain = async (user: string) =>
      (await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=${user}`))
        .body as object;
    expect((await explain(ANN)) as { sentence: string }).toMatchObject({
      sentence: expect.stringContaining('"Tell" over hook, because the event was replayed for "Thank" and "Room" only'),
    });
    expect(await explain(BOB)).toMatchObject({ outcome: 'not_sent' });
  });

  it('names the users and notifications that do not exist, and sends nothing then', async () => {
    const tenant = await tenantOf();
    const first = await tenant.trigger();
    await tenant.settled(first);
    const refused = async (given: object) => {
      const { status, body } = await steer(tenant, first, 'replay', given);
      return [status, (body as { errors: unknown }).errors];
    };
    expect(await refused({ limit_to: [ANN, 'eve@acme.test'], notifications: ['Tell', 'Else'] })).toEqual([
      400,
      {
        limit_to: ['eve@acme.test is not a user of the organization'],
        notifications: ['"Else" is not a notification of the event'],
      },
    ]);
    expect(await refused({ limit_to: [], notifications: [1] })).toEqual([
      400,
      {
        limit_to: ['must not be empty: leave it out to mean everyone'],
        notifications: ['must be a list of names of notifications'],
      },
    ]);
    expect((await refused({ limit_to: ANN }))[0]).toBe(400);
    const { rows } = await app.pool.query(
      'select count(*)::int n from occurrences where event_id = (select event_id from occurrences where id = $1)',
      [first],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe('priorities', () => {
  it('a large audience becomes bulk by itself, its first people do not', async () => {
    hooks.reply = () => 'silence';
    const tenant = await tenantOf(Array.from({ length: 2500 }, (_, i) => `user-${i}@acme.test`));
    const lanes = async (options: object) => {
      const occurrence = await tenant.trigger({}, options);
      await until(15_000, async () => (await statusOf(occurrence)) === 'expanded');
      const { rows } = await app.pool.query<{ lane: string }>(
        `select distinct split_part(lane, ':', 1) lane from jobs where task = 'deliver' and payload->>'occurrence' = $1 order by 1`,
        [occurrence],
      );
      await steer(tenant, occurrence, 'cancel');
      return rows.map(({ lane }) => lane);
    };
    expect(await lanes({})).toEqual(['bulk', 'normal']);
    expect(await lanes({ priority: 'normal' })).toEqual(['normal']);
    expect(await lanes({ priority: 'critical' })).toEqual(['critical']);
  });
});
