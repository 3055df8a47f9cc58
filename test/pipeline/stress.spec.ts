import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FAILURES_TO_OPEN } from '../../src/engine/deliver/channel-state.sql.js';
import { TestApp } from '../support/app/app.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let good: HttpSink;
let bad: HttpSink;
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
});
beforeEach(async () => {
  [good, bad] = await Promise.all([HttpSink.start(), HttpSink.start()]);
  bad.reply = () => ({ status: 503, body: 'down' });
});
afterEach(() => Promise.all([good.close(), bad.close()]));
afterAll(() => app.stop());

const people = (count: number) => Array.from({ length: count }, (_, i) => `user-${i}@acme.test`).sort();

/** A tenant whose rule tells everyone over both channels, or over those that are named. */
const tenantOf = (count: number, given: Given = {}, channels = ['good', 'bad']) =>
  Tenant.create(app, {
    channels: [webhook('good', good.url()), webhook('bad', bad.url())],
    lists: [{ name: 'Everyone', members: people(count) }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Everyone',
        templates: channels.map((channel) => ({ channel, text: 'Hi {{ user.email }}' })),
      },
    ],
    ...given,
  });

const retry = (tenant: Tenant, occurrence: string) =>
  app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${occurrence}/retry/`);

/** Makes time fly, until something is so: whatever waits for a later time is due. */
const flyUntil = (condition: () => Promise<boolean>) =>
  until(60_000, async () => {
    if (await condition()) return true;
    await app.pool.query('update channel_states set probe_at = now() where probe_at is not null');
    await app.pool.query(
      `update deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at > now()`,
    );
    await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
    return false;
  });

/** The jobs of an occurrence, and whether each waits for its time. */
const jobsOf = async (occurrence: string) => {
  const { rows } = await app.pool.query<{ waits: boolean }>(
    `select state = 'scheduled' waits from jobs where payload->>'occurrence' = $1 or state = 'running'`,
    [occurrence],
  );
  return rows;
};

const nothingQueued = (occurrence: string) => until(15_000, async () => (await jobsOf(occurrence)).length === 0);

/** What the workers know of the tenant's bad channel. */
const stateOf = async ({ org }: Tenant) => {
  const { rows } = await app.pool.query<{ failures: number; probeAt: Date | null }>(
    `select s.failures, s.probe_at "probeAt" from channel_states s join channels c on c.id = s.channel_id
     join organizations o on o.id = c.organization_id where o.slug = $1 and c.slug = 'bad'`,
    [org],
  );
  return rows[0];
};

const usersAt = (sink: HttpSink) =>
  sink.requests.map(({ body }) => (JSON.parse(body) as { data: { user: string } }).data.user).sort();

describe('with one of two channels down for the whole time', () => {
  it("the other's messages arrive undisturbed; the dead one's are retried on schedule, end dead, and arrive after a retry", async () => {
    const tenant = await tenantOf(3);
    const occurrence = await tenant.trigger();
    const pending = await tenant.tried(occurrence, 1);
    expect(usersAt(good)).toEqual(people(3));
    const retries = (await tenant.attempts(occurrence)).filter(({ outcome }) => outcome === 'retry');
    const ends = retries.map(({ at, durationMs }) => at.getTime() + durationMs);
    const due = pending.filter(({ channel }) => channel === 'bad').map((row) => row.nextAttemptAt!.getTime());
    expect(Math.min(...due) - Math.min(...ends)).toBeGreaterThanOrEqual(4000);
    expect(Math.max(...due) - Math.max(...ends)).toBeLessThanOrEqual(6000);
    await flyUntil(async () => (await tenant.deliveries(occurrence)).every(({ status }) => status !== 'pending'));
    expect(await tenant.settled(occurrence)).toMatchObject([
      ...people(3).map((user) => ({ channel: 'bad', user, status: 'dead', attempts: 8 })),
      ...people(3).map((user) => ({ channel: 'good', user, status: 'sent', attempts: 1 })),
    ]);
    bad.reply = () => ({ status: 200 });
    bad.requests.length = 0;
    expect((await retry(tenant, occurrence)).body).toEqual({ retrying: 3 });
    await flyUntil(async () => (await tenant.deliveries(occurrence)).every(({ status }) => status === 'sent'));
    expect(usersAt(bad)).toEqual(people(3));
  });

  it('a hundred people hear over the good one while the bad one answers nothing at all', async () => {
    bad.reply = () => 'silence';
    const tenant = await tenantOf(100);
    await tenant.trigger();
    await until(15_000, () => new Set(usersAt(good)).size === 100);
  });
});

describe('a channel that fails again and again', () => {
  it('rests: nobody else is tried until one message gets through, and then all are', async () => {
    const tenant = await tenantOf(200, {}, ['bad']);
    const occurrence = await tenant.trigger();
    const state = () => stateOf(tenant);
    await until(15_000, async () => (await state())?.probeAt);
    expect((await state())!.failures).toBeGreaterThanOrEqual(FAILURES_TO_OPEN);
    await until(15_000, async () => (await jobsOf(occurrence)).every(({ waits }) => waits));
    const tried = bad.requests.length;
    expect(tried).toBeLessThan(200);
    // However many failed at once, it does not rest for long at first.
    expect((await state())!.probeAt!.getTime() - Date.now()).toBeLessThan(6000);
    // One probe, however many wait.
    const failures = (await state())!.failures;
    await flyUntil(async () => (await state())!.failures > failures);
    expect(bad.requests.length - tried).toBeLessThanOrEqual(2);
    bad.reply = () => ({ status: 200 });
    await flyUntil(async () => (await tenant.deliveries(occurrence)).every(({ status }) => status === 'sent'));
    expect(await state()).toMatchObject({ failures: 0, probeAt: null });
    expect(new Set(usersAt(bad))).toEqual(new Set(people(200)));
  });
});

describe('a probe', () => {
  it('is not spent on someone who is sent nothing', async () => {
    const tenant = await tenantOf(60, {}, ['bad']);
    const occurrence = await tenant.trigger();
    await until(15_000, async () => (await stateOf(tenant))?.probeAt);
    await until(15_000, async () => (await jobsOf(occurrence)).every(({ waits }) => waits));
    await app.pool.query(
      `update users u set locked = true from organizations o where o.id = u.organization_id and o.slug = $1 and u.email < 'user-5'`,
      [tenant.org],
    );
    bad.reply = () => ({ status: 200 });
    bad.requests.length = 0;
    await app.pool.query(
      `update channel_states s set probe_at = now() from channels c, organizations o where c.id = s.channel_id and o.id = c.organization_id and o.slug = $1`,
      [tenant.org],
    );
    await app.pool.query(
      `update deliveries set next_attempt_at = now() where occurrence_id = $1 and status = 'pending'`,
      [occurrence],
    );
    await app.pool.query(`update jobs set run_at = now() where payload->>'occurrence' = $1`, [occurrence]);
    // One probe, past all who are locked, is enough.
    await until(15_000, async () => (await stateOf(tenant))!.failures === 0);
    expect(bad.requests.length).toBeGreaterThan(0);
  });
});

describe('a channel that rests', () => {
  it.each<[string, object, string]>([
    ['for longer than a schedule of attempts takes', {}, '22 hours'],
    ['for longer than its fallback waits', { fallback_after: 10 }, '11 minutes'],
  ])('%s gives up what waits for it, and its fallback takes over', async (_, settings, age) => {
    const failing = { ...webhook('bad', bad.url()), fallback: 'good' };
    const tenant = await tenantOf(
      30,
      { channels: [webhook('good', good.url()), { ...failing, config: { ...failing.config, ...settings } }] },
      ['bad'],
    );
    const occurrence = await tenant.trigger();
    await until(15_000, async () => (await stateOf(tenant))?.probeAt);
    await app.pool.query(`update deliveries set pending_since = now() - $2::interval where occurrence_id = $1`, [
      occurrence,
      age,
    ]);
    await app.pool.query(
      `update channel_states set probe_at = now() + interval '1 hour', failing_since = '2025-01-01T00:00:00Z' where probe_at is not null`,
    );
    await until(60_000, async () => {
      await app.pool.query(
        `update deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at > now()`,
      );
      await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
      return (await tenant.deliveries(occurrence)).filter(({ status }) => status === 'sent').length === 30;
    });
    const dead = (await tenant.deliveries(occurrence)).filter(({ status }) => status === 'dead');
    expect(dead.map(({ reason }) => reason)).toEqual(
      people(30).map(() => 'given up: the channel has been failing since 2025-01-01T00:00:00.000Z'),
    );
    expect(usersAt(good)).toEqual(people(30).sort());
  });
});

describe('a fallback', () => {
  const withFallback = (fallback: string, given: Given = {}) => ({
    channels: [webhook('good', good.url()), { ...webhook('bad', bad.url()), fallback }],
    ...given,
  });

  it('takes over what its channel has given up, with the template of that channel', async () => {
    bad.reply = () => ({ status: 410 });
    const tenant = await tenantOf(3, withFallback('good'), ['bad']);
    const occurrence = await tenant.trigger();
    await until(15_000, () => good.requests.length === 3);
    await nothingQueued(occurrence);
    expect(await tenant.deliveries(occurrence)).toMatchObject([
      ...people(3).map((user) => ({ channel: 'bad', user, status: 'dead' })),
      ...people(3).map((user) => ({ channel: 'good', user, status: 'sent' })),
    ]);
    const texts = good.requests.map(({ body }) => (JSON.parse(body) as { data: { text: string } }).data.text);
    expect(texts.sort()).toEqual(people(3).map((user) => `Hi ${user}`));
    const { rows } = await app.pool.query(
      `select count(*)::int n from deliveries d join deliveries f on f.id = d.fallback_of where d.occurrence_id = $1`,
      [occurrence],
    );
    expect(rows).toEqual([{ n: 3 }]);
    expect((await retry(tenant, occurrence)).body).toEqual({ retrying: 0 });
  });

  it('sends each person one message, in whatever order its channel gave them up', async () => {
    let seen = 0;
    bad.reply = () => ({ status: 410, delayMs: (seen++ * 37) % 90 });
    const tenant = await tenantOf(150, withFallback('good'), ['bad']);
    good.reply = () => ({ status: 200, delayMs: 60 });
    const occurrence = await tenant.trigger();
    await until(30_000, async () => {
      const rows = await tenant.deliveries(occurrence);
      return rows.length === 300 && rows.every(({ status }) => status !== 'pending');
    });
    await nothingQueued(occurrence);
    expect(usersAt(good)).toEqual(people(150));
  });

  /** One message that was refused over its channel, and over the fallback. */
  async function deadOverBoth() {
    bad.reply = () => ({ status: 410 });
    good.reply = () => ({ status: 410 });
    const tenant = await tenantOf(1, withFallback('good'), ['bad']);
    const occurrence = await tenant.trigger();
    const dead = async () => (await tenant.deliveries(occurrence)).filter(({ status }) => status === 'dead');
    await until(15_000, async () => (await dead()).length === 2);
    return { tenant, occurrence };
  }

  it('that died too is what a retry tries again, and only that', async () => {
    const { tenant, occurrence } = await deadOverBoth();
    bad.reply = () => ({ status: 200 });
    good.reply = () => ({ status: 200 });
    bad.requests.length = 0;
    good.requests.length = 0;
    expect((await retry(tenant, occurrence)).body).toEqual({ retrying: 1 });
    await until(15_000, async () => (await tenant.deliveries(occurrence)).some(({ status }) => status === 'sent'));
    await nothingQueued(occurrence);
    expect([bad.requests.length, good.requests.length]).toEqual([0, 1]);
  });

  it('has another chance when its channel is retried by name and dies again', async () => {
    const { tenant, occurrence } = await deadOverBoth();
    good.reply = () => ({ status: 200 });
    const [first] = await tenant.deliveries(occurrence);
    await retry(tenant, occurrence).send({ delivery: Number(first!.id) });
    await until(15_000, async () => (await tenant.deliveries(occurrence))[1]!.status === 'sent');
  });

  it('repeats nothing for who is reached over it anyway', async () => {
    bad.reply = () => ({ status: 410 });
    const tenant = await tenantOf(2, withFallback('good'));
    const occurrence = await tenant.trigger();
    await tenant.settled(occurrence);
    await nothingQueued(occurrence);
    expect(usersAt(good)).toEqual(people(2));
  });

  it('is not used when the trigger named other channels', async () => {
    bad.reply = () => ({ status: 410 });
    const tenant = await tenantOf(2, withFallback('good'), ['bad']);
    const occurrence = await tenant.trigger({}, { channels: ['bad'] });
    await tenant.settled(occurrence);
    await nothingQueued(occurrence);
    expect(good.requests).toHaveLength(0);
  });

  it('says so when the person has no address for it', async () => {
    bad.reply = () => ({ status: 410 });
    const sms = {
      slug: 'mail',
      name: 'Mail',
      type: 'email',
      config: { host: '127.0.0.1', port: 9, from: 'a@acme.test' },
    };
    const tenant = await tenantOf(1, { channels: [{ ...webhook('bad', bad.url()), fallback: 'mail' }, sms] }, ['bad']);
    await app.pool.query(
      `delete from addresses a using users u, organizations o where a.user_id = u.id and o.id = u.organization_id and o.slug = $1
       and not exists (select from members m where m.address_id = a.id)`,
      [tenant.org],
    );
    await app.pool.query(
      `update addresses a set name = 'other' from users u, organizations o where a.user_id = u.id and o.id = u.organization_id and o.slug = $1`,
      [tenant.org],
    );
    const occurrence = await tenant.trigger();
    await until(15_000, async () => (await tenant.deliveries(occurrence)).length === 2);
    expect(await tenant.deliveries(occurrence)).toMatchObject([
      { channel: 'bad', status: 'dead' },
      { channel: 'mail', status: 'skipped', gate: 'no_address' },
    ]);
  });

  it('must be another channel that there is', async () => {
    await expect(tenantOf(1, withFallback('bad'))).rejects.toThrow(
      'fallback: "bad" is not another channel of the project or the organization',
    );
    await expect(tenantOf(1, withFallback('none'))).rejects.toThrow(
      'fallback: "none" is not another channel of the project or the organization',
    );
  });
});

describe('a receiver that asks to slow down', () => {
  it('gets every message, and no refusal counts towards the limit of attempts or makes the channel rest', async () => {
    let refusals = 0;
    bad.reply = () => (refusals < 60 ? { status: 429, body: String(++refusals) } : { status: 200 });
    const tenant = await tenantOf(40, {}, ['bad']);
    const occurrence = await tenant.trigger();
    await until(15_000, () => refusals > 0);
    await flyUntil(async () => (await tenant.deliveries(occurrence)).every(({ status }) => status !== 'pending'));
    expect((await tenant.deliveries(occurrence)).map(({ status }) => status)).toEqual(Array(40).fill('sent'));
    expect(usersAt(bad)).toHaveLength(100);
    const { rows } = await app.pool.query<{ counted: number }>(
      'select attempts - attempts_before counted from deliveries where occurrence_id = $1',
      [occurrence],
    );
    expect(rows.map(({ counted }) => counted)).toEqual(Array(40).fill(1));
    expect((await stateOf(tenant))?.failures ?? 0).toBe(0);
  });
});
