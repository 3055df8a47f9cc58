import { describe, expect, it } from '@jest/globals';
import { ExpirePaused } from '../../src/engine/steer/expire-paused.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, inbox, queueIsEmpty, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (sink) => (hooks = sink),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const hook = (enabled: boolean, more: object = {}) => ({ ...webhook('hook', hooks.url()), enabled, ...more });
const off = () => ({ channels: [hook(false), inbox('inbox')] });
const on = () => ({ channels: [hook(true)] });

const tenantWith = (given: Given = {}) =>
  Tenant.create(app, {
    ...off(),
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'Order {{ order }}' }] },
    ],
    ...given,
  });

/** Waits until so many deliver jobs of the tenant wait for the channel. */
async function waits({ org }: Tenant, jobs = 1): Promise<void> {
  const sql = `select from jobs j join organizations g on g.id = j.organization_id
               where g.slug = $1 and j.state = 'paused' and j.switch = 'channel' and j.task = 'deliver'`;
  await until(15_000, async () => (await app.pool.query(sql, [org])).rowCount === jobs);
  await queueIsEmpty(app);
}

const waiting = ({ org, key }: Tenant) => app.as(key).get(`/api/o/${org}/c/hook/waiting/`);
const discard = ({ org, key }: Tenant) => app.as(key).post(`/api/o/${org}/c/hook/discard/`);

async function explained({ org, key }: Tenant, occurrence: string, query = `?user=${ANN}`) {
  const { body } = await app.as(key).get(`/api/o/${org}/occurrences/${occurrence}/explain/${query}`);
  return body as Record<string, unknown>;
}

/** As if the jobs that wait had waited for so long. */
const waitFor = (time: string) =>
  app.pool.query(`update jobs set paused_at = paused_at - $1::interval where state = 'paused'`, [time]);

describe('a message that is triggered while its channel is switched off', () => {
  it.each([
    ['is expanded with others', {}],
    ['names the channel', { channels: ['hook'] }],
    ['is critical', { priority: 'critical' }],
  ])('waits, and is sent when the channel is on again, if it %s', async (_, options) => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({ order: 7 }, options);
    await waits(tenant);
    expect(hooks.requests).toEqual([]);
    expect(await tenant.deliveries(occurrence)).toMatchObject([
      { user: ANN, status: 'pending', attempts: 0 },
      { user: BOB, status: 'pending', attempts: 0 },
    ]);
    expect(await tenant.decisions(occurrence)).toMatchObject([{ channels: [{ slug: 'hook', verdict: 'open' }] }]);
    expect(await explained(tenant, occurrence)).toMatchObject({
      outcome: 'waiting',
      gate: null,
      sentence: `${ANN} is waiting for "Tell" over hook: the channel is switched off.`,
    });
    expect(await explained(tenant, occurrence, '')).toMatchObject({
      sentence: 'Of 2 deliveries: 2 waiting; the channel hook is switched off; sending resumes when it is switched on.',
    });
    await tenant.apply(on());
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
    expect(hooks.requests).toHaveLength(2);
  });

  it('waits when the occurrence is expanded alone', async () => {
    // A rule whose audience differs from that of another is not expanded together with others.
    const users = [ANN, BOB].map((email) => ({ email, custom_fields: { team: 'ops' } }));
    const rule = { name: 'Tell', templates: [{ channel: 'hook', text: 'Hi' }] };
    const tenant = await tenantWith({
      users,
      notifications: [
        { ...rule, audience: { field: 'custom_fields.team', is: 'ops' } },
        { ...rule, name: 'Others', audience: { field: 'custom_fields.team', is: 'none' } },
      ],
    });
    const occurrence = await tenant.trigger();
    await waits(tenant);
    await tenant.apply(on());
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
  });

  it('does not use the fallback: the channel has not failed', async () => {
    const tenant = await tenantWith({ channels: [inbox('inbox'), hook(false, { fallback: 'inbox' })] });
    const occurrence = await tenant.trigger();
    await waits(tenant);
    expect(await tenant.deliveries(occurrence)).toMatchObject([{ channel: 'hook' }, { channel: 'hook' }]);
  });

  it('is not sent when it expires meanwhile, and ends without the channel being switched on', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({}, { expires_at: '2040-01-01T00:00:00Z' });
    await waits(tenant);
    await app.pool.query(`update occurrences set options = '{"expires_at": "2020-01-01T00:00:00Z"}' where id = $1`, [
      occurrence,
    ]);
    expect((await waiting(tenant)).body).toEqual({ waiting: 0, since: null, last_failure: null, recent_failures: [] });
    await app.app.get(ExpirePaused).round();
    expect(await tenant.settled(occurrence)).toMatchObject([{ gate: 'expired' }, { gate: 'expired' }]);
    expect(await explained(tenant, occurrence)).toMatchObject({
      gate: 'expired',
      sentence: `${ANN} was not sent "Tell" over hook, because it expired at 2020-01-01T00:00:00Z before it could be sent.`,
    });
  });

  it('ends after seven days, and says why', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger();
    await waits(tenant);
    await waitFor('6 days 23 hours');
    await app.app.get(ExpirePaused).round();
    await queueIsEmpty(app);
    expect(await tenant.deliveries(occurrence)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    await waitFor('2 hours');
    await app.app.get(ExpirePaused).round();
    expect(await tenant.settled(occurrence)).toMatchObject([
      { status: 'skipped', gate: 'expired' },
      { status: 'skipped', gate: 'expired' },
    ]);
    expect(await explained(tenant, occurrence)).toMatchObject({
      gate: 'expired',
      sentence: `${ANN} was not sent "Tell" over hook, because it had waited for seven days: the channel was switched off.`,
      rules: [{ channels: [{ evidence: { switched_off: 'channel', days: 7 } }] }],
    });
    await tenant.apply(on());
    await queueIsEmpty(app);
    expect(hooks.requests).toEqual([]);
  });
});

describe('the messages that wait for a channel', () => {
  it('are counted, and discarded before it is switched on; later ones are sent', async () => {
    const tenant = await tenantWith();
    expect((await waiting(tenant)).body).toEqual({ waiting: 0, since: null, last_failure: null, recent_failures: [] });
    const occurrence = await tenant.trigger();
    await waits(tenant);
    const { status, body } = await waiting(tenant);
    expect([status, body]).toEqual([
      200,
      { waiting: 2, since: expect.any(String), last_failure: null, recent_failures: [] },
    ]);
    const discarded = await discard(tenant);
    expect([discarded.status, discarded.body]).toEqual([200, { discarded: 2 }]);
    await tenant.apply(on());
    expect(await tenant.settled(occurrence)).toMatchObject([
      { status: 'skipped', gate: 'canceled' },
      { status: 'skipped', gate: 'canceled' },
    ]);
    expect(await explained(tenant, occurrence)).toMatchObject({
      gate: 'canceled',
      sentence: expect.stringMatching(
        /was not sent "Tell" over hook, because it was discarded at \S+ while the channel was switched off\.$/,
      ),
    });
    const next = await tenant.trigger();
    expect(await tenant.settled(next)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
    expect(hooks.requests).toHaveLength(2);
    const { body: log } = await app.as(tenant.key).get(`/api/o/${tenant.org}/audit/?noun=channel`);
    expect(log).toContainEqual(expect.objectContaining({ verb: 'discard', noun: 'channel', name: 'hook', count: 2 }));
  });

  it('are those of this channel only', async () => {
    const [tenant, other] = [await tenantWith(), await tenantWith()];
    const [occurrence, kept] = [await tenant.trigger(), await other.trigger()];
    await Promise.all([waits(tenant), waits(other)]);
    expect((await discard(tenant)).body).toEqual({ discarded: 2 });
    await tenant.settled(occurrence);
    expect((await waiting(other)).body).toMatchObject({ waiting: 2 });
    await other.apply(on());
    expect(await other.settled(kept)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
  });

  it('are none while the channel is on, and are not for a key of a part of its owner', async () => {
    const tenant = await tenantWith(on());
    expect((await discard(tenant)).body).toEqual({ discarded: 0 });
    const project = await app.key({ org: tenant.org, project: 'shop' });
    for (const call of [discard, waiting]) {
      const { org } = tenant;
      expect((await call({ org, key: project } as Tenant)).status).toBe(403);
    }
  });
});

describe('the messages that wait for a channel that is on', () => {
  it('are counted while its provider fails, with what it answered, and not any more once it works', async () => {
    hooks.reply = () => ({ status: 503, body: 'we are closed' });
    const tenant = await tenantWith({ channels: [hook(true), inbox('inbox')] });
    const other = await tenantWith({ channels: [hook(false)] });
    expect((await waiting(tenant)).body).toEqual({ waiting: 0, since: null, last_failure: null, recent_failures: [] });
    const occurrence = await tenant.trigger();
    await other.trigger();
    await until(15_000, async () => (await waiting(tenant)).body.waiting === 2);
    expect((await waiting(tenant)).body).toEqual({
      waiting: 2,
      since: expect.any(String),
      last_failure: expect.stringContaining('we are closed'),
      recent_failures: Array.from({ length: 2 }, () => ({
        ...{ at: expect.any(String), answer: expect.stringContaining('we are closed') },
        occurrence,
      })),
    });
    hooks.reply = () => ({ status: 200 });
    await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
    await app.pool.query(`update deliveries set next_attempt_at = now() where status = 'pending'`);
    await until(15_000, async () => (await waiting(tenant)).body.waiting === 0);
    expect((await waiting(tenant)).body).toEqual({ waiting: 0, since: null, last_failure: null, recent_failures: [] });
  });
});
