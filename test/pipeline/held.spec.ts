import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { allBut } from '../support/contract/operations.js';
import { forbidden } from '../support/contract/problems.js';
import { EventReader } from '../support/sinks/event-reader.js';
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

const [ANN, BOB, CY] = ['ann@acme.test', 'bob@acme.test', 'cy@acme.test'] as const;

const rule = (name: string, list: string, channel = 'hook', when?: string) => ({
  ...{ name, when, distribution_list: list },
  templates: [{ channel, text: 'Hi' }],
});

/** A tenant whose event reaches three people, and may reach two. */
const tenantWith = (given: Given = {}) =>
  Tenant.create(app, {
    channels: [webhook('hook', hooks.url()), inbox('inbox')],
    lists: [{ name: 'Staff', members: [ANN, BOB, CY] }],
    notifications: [rule('Tell', 'Staff')],
    maxRecipients: 2,
    ...given,
  });

const pathOf = ({ org }: Tenant, occurrence: string) => `/api/o/${org}/occurrences/${occurrence}/`;
const read = async (tenant: Tenant, occurrence: string, more = '') =>
  (await app.as(tenant.key).get(pathOf(tenant, occurrence) + more)).body as Record<string, unknown>;
const post = (tenant: Tenant, occurrence: string, verb: string) =>
  app.as(tenant.key).post(`${pathOf(tenant, occurrence)}${verb}/`);

async function held(tenant: Tenant, options: object = {}): Promise<string> {
  const occurrence = await tenant.trigger({}, options);
  await until(15_000, async () => (await read(tenant, occurrence)).status === 'held');
  await queueIsEmpty(app);
  return occurrence;
}

const heldNow = async (tenant: Tenant) =>
  ((await app.as(tenant.key).get(`/api/o/${tenant.org}/summary/`)).body as { held_occurrences: number })
    .held_occurrences;

describe('an occurrence that would reach more users than its event allows', () => {
  it('is held: it makes no delivery, and says so wherever it is read', async () => {
    const tenant = await tenantWith();
    const occurrence = await held(tenant);
    expect(await read(tenant, occurrence)).toMatchObject({
      ...{ status: 'held', done: false, approved_at: null, expanded_at: null, counts: { total: 0 } },
      rules: [{ notification: 'Tell', verdict: 'matched', channels: [{ channel: 'hook', verdict: 'open' }] }],
    });
    const list = await app.as(tenant.key).get(`/api/o/${tenant.org}/p/shop/a/web/e/order-paid/o/?status=held`);
    expect(list.body).toMatchObject([{ id: occurrence, status: 'held' }]);
    const all = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/?status=held`);
    expect(all.body).toMatchObject([{ id: occurrence, status: 'held', event: 'order-paid' }]);
    expect(await heldNow(tenant)).toBe(1);
    const why =
      'the occurrence is held until someone approves it, because it would reach more users than its event allows';
    expect(await read(tenant, occurrence, 'explain/')).toMatchObject({ sentence: `There are no deliveries; ${why}.` });
    expect(await read(tenant, occurrence, `explain/?user=${ANN}`)).toMatchObject({
      outcome: 'waiting',
      sentence: `${ANN} is waiting for "Tell" over hook: ${why}.`,
      rules: [{ channels: [{ evidence: { status: 'held', max_recipients: 2 } }] }],
    });
    const headers = { Authorization: `Key ${tenant.key}` };
    const stream = await EventReader.open(`${app.url}${pathOf(tenant, occurrence)}stream/`, headers);
    const [first] = await until(15_000, () => stream.events.length > 0 && stream.events);
    expect(first).toMatchObject({ event: 'progress', data: { status: 'held', total: 0 } });
    stream.leave();
    expect(hooks.requests).toHaveLength(0);
  });

  it('reaches them all once it is approved, which happens once', async () => {
    const tenant = await tenantWith();
    const occurrence = await held(tenant);
    const { status, body } = await post(tenant, occurrence, 'approve');
    expect([status, body]).toEqual([200, { occurrence, status: 'pending' }]);
    expect(await tenant.settled(occurrence)).toHaveLength(3);
    expect(await read(tenant, occurrence)).toMatchObject({
      ...{ status: 'expanded', done: true, approved_at: expect.any(String), counts: { total: 3, sent: 3 } },
    });
    expect(await post(tenant, occurrence, 'approve')).toMatchObject({
      status: 409,
      body: { detail: 'Only an occurrence that is held can be approved; this one is expanded.' },
    });
    expect(hooks.requests).toHaveLength(3);
    expect(await heldNow(tenant)).toBe(0);
  });

  it('is refused by canceling it', async () => {
    const tenant = await tenantWith();
    const occurrence = await held(tenant);
    expect((await post(tenant, occurrence, 'cancel')).body).toEqual({ occurrence, status: 'canceled' });
    expect((await post(tenant, occurrence, 'approve')).status).toBe(409);
    await queueIsEmpty(app);
    expect(await tenant.deliveries(occurrence)).toEqual([]);
    expect(hooks.requests).toHaveLength(0);
    expect(await heldNow(tenant)).toBe(0);
  });

  it('is approved by nobody without the permission occurrence:write', async () => {
    const tenant = await tenantWith();
    const occurrence = await held(tenant);
    const key = await app.key({ org: tenant.org, permissions: allBut('occurrence:write') });
    const { status, body } = await app.as(key).post(`${pathOf(tenant, occurrence)}approve/`);
    expect([status, body]).toEqual([403, forbidden('occurrence:write')]);
  });

  it('that is replayed is held again', async () => {
    const tenant = await tenantWith();
    const { body } = await post(tenant, await held(tenant), 'replay');
    const { occurrence } = body as { occurrence: string };
    await until(15_000, async () => (await read(tenant, occurrence)).status === 'held');
  });

  it('waits for its event to be on again, although it is approved', async () => {
    const tenant = await tenantWith();
    const occurrence = await held(tenant);
    await tenant.apply({ enabled: { event: false } });
    expect((await post(tenant, occurrence, 'approve')).status).toBe(200);
    const paused = `select from jobs where state = 'paused' and payload->>'occurrence' = $1`;
    await until(15_000, async () => (await app.pool.query(paused, [occurrence])).rowCount === 1);
    await tenant.apply({ enabled: { event: true } });
    expect(await tenant.settled(occurrence)).toHaveLength(3);
  });
});

describe('not held is an occurrence', () => {
  const passes = async (tenant: Tenant, options: object = {}) => tenant.settled(await tenant.trigger({}, options));

  it('that reaches just as many as its event allows', async () => {
    expect(await passes(await tenantWith({ maxRecipients: 3 }))).toHaveLength(3);
  });

  it('that is limited to fewer', async () => {
    expect(await passes(await tenantWith(), { limit_to: [ANN, BOB] })).toHaveLength(2);
  });

  it('whose other people are kept back by a gate', async () => {
    const users = [{ email: CY, locked: true }];
    expect(await passes(await tenantWith({ users }))).toMatchObject([
      { user: ANN, status: 'sent' },
      { user: BOB, status: 'sent' },
      { user: CY, gate: 'locked' },
    ]);
  });

  it('that tells the same people several times', async () => {
    const lists = [{ name: 'Staff', members: [ANN, BOB] }];
    const notifications = [rule('Tell', 'Staff'), rule('Tell again', 'Staff', 'inbox')];
    expect(await passes(await tenantWith({ lists, notifications }))).toHaveLength(4);
  });

  it('of a rule that fails: it tells nobody anything', async () => {
    const notifications = [rule('Tell', 'Staff', 'hook', 'length(`1`)')];
    const rows = await passes(await tenantWith({ notifications }));
    expect(rows.map(({ status }) => status)).toEqual(['dead', 'dead', 'dead']);
  });
});

it('counts those of all rules together, and by an audience too', async () => {
  const lists = [
    { name: 'Staff', members: [ANN, BOB] },
    { name: 'Drivers', members: [BOB, CY] },
  ];
  const notifications = [rule('Tell', 'Staff'), rule('Tell drivers', 'Drivers', 'inbox')];
  const byLists = await tenantWith({ lists, notifications });
  await held(byLists);
  const everyone = { audience: { field: 'email', ends_with: '@acme.test' } };
  const byAudience = await tenantWith({ notifications: [{ ...rule('Tell', 'Staff'), ...everyone }] });
  await held(byAudience);
});
