import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';
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

const rule = (enabled = true) => ({
  name: 'Tell',
  enabled,
  distribution_list: 'Staff',
  templates: [{ channel: 'hook', text: 'Order {{ order }}' }],
});

const tenantWith = (given: Given = {}) =>
  Tenant.create(app, {
    channels: [webhook('hook', hooks.url())],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [rule()],
    ...given,
  });

/** Every switch there is. */
const SWITCHES: [string, (on: boolean) => Given][] = [
  ['project', (on) => ({ enabled: { project: on } })],
  ['application', (on) => ({ enabled: { application: on } })],
  ['event', (on) => ({ enabled: { event: on } })],
  ['notification', (on) => ({ notifications: [rule(on)] })],
  ['channel', (on) => ({ channels: [{ ...webhook('hook', hooks.url()), enabled: on }] })],
];
const ABOVE = SWITCHES.slice(0, 3);

/** Waits until so many jobs of the occurrence are paused, and none of them is in the queue. */
async function isPaused(occurrence: string, jobs = 1): Promise<void> {
  const sql = `select from jobs where state = 'paused' and payload->>'occurrence' = $1`;
  await until(15_000, async () => (await app.pool.query(sql, [occurrence])).rowCount === jobs);
  await queueIsEmpty(app);
}

async function explained({ org, key }: Tenant, occurrence: string, query = ''): Promise<Record<string, unknown>> {
  const { body } = await app.as(key).get(`/api/o/${org}/occurrences/${occurrence}/explain/${query}`);
  return body as Record<string, unknown>;
}

/** What was tried once and failed, and is due again. */
async function dueAgain(tenant: Tenant): Promise<string> {
  hooks.reply = () => ({ status: 500 });
  const occurrence = await tenant.trigger();
  await tenant.tried(occurrence, 1);
  hooks.reply = () => ({ status: 200 });
  return occurrence;
}

describe.each(SWITCHES)('a %s that is switched off', (kind, given) => {
  it('holds up what is queued, spends no attempt on it, and lets it go on when it is on again', async () => {
    const tenant = await tenantWith();
    const occurrence = await dueAgain(tenant);
    await tenant.apply(given(false));
    await travelToNextAttempt(app);
    await isPaused(occurrence);
    expect(hooks.requests).toHaveLength(2);
    expect(await tenant.deliveries(occurrence)).toMatchObject([
      { user: ANN, status: 'pending', attempts: 1 },
      { user: BOB, status: 'pending', attempts: 1 },
    ]);
    expect(await explained(tenant, occurrence, `?user=${ANN}`)).toMatchObject({
      outcome: 'waiting',
      sentence: `${ANN} is waiting for "Tell" over hook: the ${kind} is switched off.`,
    });
    await tenant.apply(given(true));
    expect(await tenant.settled(occurrence)).toMatchObject([
      { user: ANN, status: 'sent', attempts: 2 },
      { user: BOB, status: 'sent', attempts: 2 },
    ]);
    expect(hooks.requests).toHaveLength(4);
  });

  it('does not keep what waits from being canceled', async () => {
    const tenant = await tenantWith();
    const occurrence = await dueAgain(tenant);
    await tenant.apply(given(false));
    await travelToNextAttempt(app);
    await isPaused(occurrence);
    const { status } = await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${occurrence}/cancel/`);
    expect(status).toBe(200);
    expect(await tenant.settled(occurrence, 15_000, 'canceled')).toMatchObject([
      { gate: 'canceled' },
      { gate: 'canceled' },
    ]);
    await tenant.apply(given(true));
    await isPaused(occurrence, 0);
    expect(hooks.requests).toHaveLength(2);
  });
});

describe.each(ABOVE)('an occurrence that is triggered while its %s is switched off', (kind, given) => {
  it('waits, and is expanded when it is on again', async () => {
    const tenant = await tenantWith(given(false));
    const occurrence = await tenant.trigger();
    await isPaused(occurrence);
    expect(await tenant.deliveries(occurrence)).toEqual([]);
    expect(await explained(tenant, occurrence)).toMatchObject({
      sentence: `There are no deliveries; the ${kind} is switched off; sending resumes when it is switched on.`,
    });
    expect(await explained(tenant, occurrence, `?user=${ANN}`)).toMatchObject({
      outcome: 'waiting',
      sentence: `${ANN} is waiting for "Tell" over hook: the ${kind} is switched off.`,
    });
    await tenant.apply(given(true));
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
    expect(hooks.requests).toHaveLength(2);
  });
});

describe('a switch', () => {
  it('that is on again lets nothing go that another one holds up', async () => {
    const tenant = await tenantWith({ enabled: { project: false, event: false } });
    const occurrence = await tenant.trigger();
    await isPaused(occurrence);
    await tenant.apply({ enabled: { project: true } });
    const byEvent = `select from jobs where state = 'paused' and payload->>'occurrence' = $1 and switch = 'event'`;
    await until(15_000, async () => (await app.pool.query(byEvent, [occurrence])).rowCount === 1);
    expect(await tenant.deliveries(occurrence)).toEqual([]);
    await tenant.apply({ enabled: { event: true } });
    expect(await tenant.settled(occurrence)).toHaveLength(2);
  });

  it('holds up one tenant and no other', async () => {
    const [off, on] = [await tenantWith({ enabled: { project: false } }), await tenantWith()];
    const waiting = await off.trigger();
    expect(await on.settled(await on.trigger())).toHaveLength(2);
    await isPaused(waiting);
    expect(hooks.requests).toHaveLength(2);
  });

  it('costs no message its patience: one that was paused for two days is not given up over a channel that fails', async () => {
    const tenant = await tenantWith();
    const occurrence = await dueAgain(tenant);
    await tenant.apply({ channels: [{ ...webhook('hook', hooks.url()), enabled: false }] });
    await travelToNextAttempt(app);
    await isPaused(occurrence);
    await app.pool.query(
      `with paused as (update jobs set paused_at = paused_at - interval '2 days' where (payload->>'occurrence')::uuid = $1)
       update deliveries set pending_since = pending_since - interval '2 days' where occurrence_id = $1`,
      [occurrence],
    );
    await app.pool.query(
      `insert into channel_states (channel_id, failures, failing_since, probe_at)
       select channel_id, 50, now() - interval '3 days', now() + interval '1 hour' from deliveries where occurrence_id = $1 limit 1
       on conflict (channel_id) do update set failures = 50, failing_since = excluded.failing_since, probe_at = excluded.probe_at`,
      [occurrence],
    );
    await tenant.apply({ channels: [{ ...webhook('hook', hooks.url()), enabled: true }] });
    await until(15_000, async () => {
      const waits = `select from jobs where payload->>'occurrence' = $1 and state = 'scheduled'`;
      return (await app.pool.query(waits, [occurrence])).rowCount === 1;
    });
    expect(await tenant.deliveries(occurrence)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    await app.pool.query('delete from jobs');
  });
});
