import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/platform/config/config.js';
import { Purge } from '../../src/engine/purge/purge.js';
import { ExportService } from '../../src/operate/provisioning/export/export.service.js';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import { measureUsage } from '../../src/auth/quota/measure-usage.js';
import { StoredBytes } from '../../src/auth/quota/stored-bytes.js';
import { Telemetry } from '../../src/platform/telemetry/telemetry.js';
import type { TestApp } from '../support/app/app.js';
import { sentDuring } from '../support/app/sent.js';
import { useApp } from '../support/app/use.js';
import { Clock } from '../support/clock.js';
import { until } from '../support/until.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
let operator: string;
useApp({ METRICS_PORT: '0', QUOTA_SEND_AT_DAYS: '366' }, async (started) => {
  app = started;
  operator = await app.key();
});

const ANN = 'ann@acme.test';
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const rule = (name: string, text = 'Hi'): NotificationEntry => ({
  name,
  distribution_list: 'Staff',
  templates: [{ channel: 'inbox', text }],
});

const tenantWith = (...notifications: NotificationEntry[]) =>
  Tenant.create(app, { channels: [inbox('inbox')], lists: [{ name: 'Staff', members: [ANN] }], notifications });

const quotasOf = ({ org }: Tenant) => `/api/o/${org}/quotas/`;
const eventOf = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/`;

async function limit(tenant: Tenant, quotas: object): Promise<void> {
  const { status } = await app.as(operator).patch(quotasOf(tenant)).send(quotas);
  expect(status).toBe(200);
}

const trigger = (tenant: Tenant, body: object = {}, key = tenant.key) =>
  app
    .as(key)
    .post(`${eventOf(tenant)}trigger/`)
    .send(body);

/** The value of a metric, summed over its labels that are not given. */
async function metric(name: string, labels: object = {}): Promise<number> {
  const metrics = await app.app.get(Telemetry).metrics!.measure();
  const values = metrics.find((each) => each.name === name)!.values as { labels: object; value: number }[];
  return values
    .filter((each) => Object.entries(labels).every(([label, value]) => (each.labels as never)[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/** A message for one of the occurrences of an organization $1. $2: its text. */
const ADD_MESSAGE = `
  with delivery as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
    select id, organization_id, 1, 1, 1, 'sent' from occurrences
    where organization_id = (select id from organizations where slug = $1) limit 1 returning id
  )
  insert into messages (delivery_id, recipient, subject, text, html) select id, '', '', $2, '' from delivery`;

/** An organization without data, not even an audit entry. */
const CREATE_EMPTY = `
  begin; set local session_replication_role = replica; insert into organizations (slug, name) values ('empty', 'Empty'); commit`;

const refusals = (quota: string) => metric('carillon_quota_refusals_total', { quota });

describe('quotas', () => {
  it('are defaults of the service until an operator sets others; a tenant reads them but cannot set them', async () => {
    const tenant = await tenantWith(rule('One', 'x'.repeat(3000)), rule('Two'));
    const { body: before } = await app.as(tenant.key).get(quotasOf(tenant));
    expect(before).toEqual({
      triggers_per_second: { limit: 5000, is_default: true, used: null },
      stored_mb: { limit: 102_400, is_default: true, used: 0 },
      notifications_per_event: { limit: 200, is_default: true, used: 2 },
      ruleset_kb: { limit: 8192, is_default: true, used: 4 },
      send_at_days: { limit: 366, is_default: true, used: null },
      schedules: { limit: 1000, is_default: true, used: 0 },
      files_mb: { limit: 10_240, is_default: true, used: 0 },
      layouts: { limit: 200, is_default: true, used: 0 },
      measured_at: null,
    });
    const refused = await app.as(tenant.key).patch(quotasOf(tenant)).send({ stored_mb: 1 });
    expect(refused.status).toBe(403);
    await limit(tenant, { stored_mb: 7, ruleset_kb: 8 });
    await limit(tenant, { ruleset_kb: null });
    const { body: after } = await app.as(tenant.key).get(quotasOf(tenant));
    expect(after).toEqual({ ...before, stored_mb: { limit: 7, is_default: false, used: 0 } });
    const bad = await app.as(operator).patch(quotasOf(tenant)).send({ stored_mb: 0, bytes: 1, send_at_days: 36_501 });
    expect([bad.status, Object.keys((bad.body as { errors: object }).errors).sort()]).toEqual([
      400,
      ['bytes', 'send_at_days', 'stored_mb'],
    ]);
    const { rows } = await app.pool.query(
      `select changes from audit_entries where noun = 'organization' and name = $1 and verb = 'update' order by id limit 1`,
      [tenant.org],
    );
    expect(rows).toEqual([{ changes: { quotas: [{}, { stored_mb: 7, ruleset_kb: 8 }] } }]);
  });

  it('that are changed at the same time all take effect', async () => {
    const tenant = await tenantWith(rule('Tell'));
    const names = ['triggers_per_second', 'stored_mb', 'notifications_per_event', 'ruleset_kb', 'send_at_days'];
    await Promise.all(names.map((name) => limit(tenant, { [name]: 9 })));
    const { body } = await app.as(tenant.key).get(quotasOf(tenant));
    expect(names.map((name) => (body as Record<string, { limit: number }>)[name]!.limit)).toEqual([9, 9, 9, 9, 9]);
  });

  it('cost a trigger no statement', async () => {
    const tenant = await tenantWith(rule('Tell'));
    await limit(tenant, { triggers_per_second: 100, stored_mb: 10, send_at_days: 1 });
    await tenant.trigger();
    const sent = await sentDuring(() => tenant.trigger({}, { send_at: inDays(0.5) }));
    const names = sent.map(({ name, text }) => name ?? text);
    expect(names).toEqual(['store-one-occurrence']);
  });
});

it('triggers a second are counted over all keys of an organization, and replays with them', async () => {
  const tenant = await tenantWith(rule('Tell'));
  const other = await tenantWith(rule('Tell'));
  const occurrence = await tenant.trigger();
  await limit(tenant, { triggers_per_second: 2 });
  const before = await refusals('triggers_per_second');
  await Clock.stopped(async (clock) => {
    clock.advance(60_000);
    const sibling = await app.key({ org: tenant.org });
    expect((await trigger(tenant)).status).toBe(201);
    expect((await trigger(tenant, {}, sibling)).status).toBe(201);
    const { status, body, headers } = await trigger(tenant, {}, await app.key({ org: tenant.org }));
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    expect(body).toMatchObject({
      type: 'urn:carillon:problem:too-many-requests',
      detail: expect.stringContaining('allows 2 triggers per second with all its keys (quota triggers_per_second)'),
    });
    const replay = `/api/o/${tenant.org}/occurrences/${occurrence}/replay/`;
    expect((await app.as(operator).post(replay)).status).toBe(429);
    expect((await trigger(other)).status).toBe(201);
    clock.advance(1000);
    expect((await app.as(operator).post(replay)).status).toBe(201);
  });
  expect((await refusals('triggers_per_second')) - before).toBe(2);
});

it('an organization that stores too much creates nothing more; it reads, switches off, deletes, and goes on once it stores less', async () => {
  const tenant = await tenantWith(rule('Tell'));
  const other = await tenantWith(rule('Tell'));
  await limit(tenant, { stored_mb: 1 });
  const before = await refusals('stored_mb');
  const context = { text: randomBytes(100_000).toString('hex') };
  const statuses: number[] = [];
  while (statuses.length < 10 && statuses.at(-1) !== 409) statuses.push((await trigger(tenant, { context })).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 409]);
  const { body } = await trigger(tenant);
  expect(body).toEqual({
    type: 'urn:carillon:problem:quota-exceeded',
    title: 'Quota exceeded',
    status: 409,
    detail: expect.stringMatching(/^The organization stores 1 MB, and its quota stored_mb is 1\. .*operator/),
  });
  const as = app.as(tenant.key);
  expect((await as.post(`/api/o/${tenant.org}/u/`).send({ email: 'new@acme.test' })).status).toBe(409);
  const ann = `/api/o/${tenant.org}/u/${ANN}/`;
  expect(
    (
      await app
        .as(tenant.key)
        .patch(ann)
        .send({ custom_fields: { team: 'ops' } })
    ).status,
  ).toBe(409);
  expect((await app.as(tenant.key).patch(ann).send({ locked: true })).status).toBe(200);
  const { body: notifications } = await as.get(`${eventOf(tenant)}n/`);
  const one = `${eventOf(tenant)}n/${(notifications as [{ id: number }])[0].id}/`;
  const templates = [{ channel: 'inbox', text: 'New' }];
  expect((await app.as(tenant.key).patch(one).send({ templates })).status).toBe(409);
  expect((await app.as(tenant.key).patch(one).send({ enabled: false })).status).toBe(200);
  expect((await app.as(tenant.key).delete(one)).status).toBe(204);
  expect((await trigger(other)).status).toBe(201);
  expect((await refusals('stored_mb')) - before).toBe(5);

  await app.app.get(StoredBytes).write(); // as it does every few seconds
  await app.pool.query(ADD_MESSAGE, [tenant.org, randomBytes(1_600_000).toString('hex')]);
  await app.pool.query(CREATE_EMPTY);
  const purge = new Purge(app.databaseUrl, readConfig({}));
  await purge.run();
  const { body: full } = await app.as(tenant.key).get(quotasOf(tenant));
  expect(full).toMatchObject({ stored_mb: { used: 4 }, measured_at: expect.any(String) });
  const { body: empty } = await app.as(operator).get('/api/o/empty/quotas/');
  expect(empty).toMatchObject({ stored_mb: { used: 0 }, measured_at: expect.any(String) });
  expect(await until(10_000, () => metric('carillon_organizations_near_quota'))).toBe(1);
  await app.pool.query(
    'delete from occurrences where organization_id = (select id from organizations where slug = $1)',
    [tenant.org],
  );
  await purge.run();
  await limit(tenant, {}); // this process forgets what it has cached
  expect((await trigger(tenant)).status).toBe(201);
});

describe('bodies count towards stored_mb until the next measurement', () => {
  const large = () => randomBytes(60_000).toString('hex');
  type Write = (tenant: Tenant) => { status: number } | PromiseLike<{ status: number }>;
  const WRITES: [string, Write][] = [
    [
      'custom fields of users',
      ({ org, key }) =>
        app
          .as(key)
          .patch(`/api/o/${org}/u/${ANN}/`)
          .send({ custom_fields: { text: large() }, _mode: 'REPLACE' }),
    ],
    [
      'templates',
      async (tenant) => {
        const { body } = await app.as(tenant.key).get(`${eventOf(tenant)}n/`);
        const path = `${eventOf(tenant)}n/${(body as [{ id: number }])[0].id}/`;
        return app
          .as(tenant.key)
          .patch(path)
          .send({ templates: [{ channel: 'inbox', text: large() }] });
      },
    ],
    [
      'new users',
      ({ org, key }) =>
        app
          .as(key)
          .post(`/api/o/${org}/u/`)
          .send({ email: `${randomBytes(8).toString('hex')}@acme.test`, custom_fields: { text: large() } }),
    ],
  ];

  it.each(WRITES)('%s', async (_, write) => {
    const tenant = await tenantWith(rule('Tell'));
    await limit(tenant, { stored_mb: 1 });
    const statuses: number[] = [];
    while (statuses.length < 20 && statuses.at(-1) !== 409) statuses.push((await write(tenant)).status);
    // Each is stored twice: in its row and in the audit log.
    expect([statuses.at(-1), statuses.length]).toEqual([409, 6]);
    await limit(tenant, { stored_mb: null });
  });
});

it('members and users that a list of recipients creates count towards stored_mb', async () => {
  const tenant = await tenantWith(rule('Tell'));
  await limit(tenant, { stored_mb: 1 });
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/p/shop/d/`);
  const add = (name: string) =>
    app
      .as(tenant.key)
      .post(`/api/o/${tenant.org}/p/shop/d/${(body as [{ id: number }])[0].id}/add/`)
      .send(Array.from({ length: 1500 }, (_, n) => `${name}${n}@a.test`));
  expect([(await add('a')).status, (await add('b')).status]).toEqual([200, 409]);
  await limit(tenant, { stored_mb: null });
});

it('stored occurrences add up until the next measurement, also those of the last seconds of a process', async () => {
  const tenant = await tenantWith(rule('Tell'));
  const stored = app.app.get(StoredBytes);
  const context = { text: randomBytes(100_000).toString('hex') };
  for (let n = 0; n < 5; n++) {
    expect((await trigger(tenant, { context })).status).toBe(201);
    await stored.write();
  }
  expect((await trigger(tenant, { context })).status).toBe(201);
  await stored.beforeApplicationShutdown();
  const { body } = await app.as(tenant.key).get(quotasOf(tenant));
  expect(body).toMatchObject({ stored_mb: { used: 1 }, measured_at: null });
});

it('what an organization stores in a large table is estimated from a part of it', async () => {
  const tenant = await tenantWith(rule('Tell'));
  // 31 MB on 4,000 pages: twice as many as are read.
  await app.pool.query(
    `insert into rule_versions (organization_id, event_id, hash, rule, bytes)
     select e.organization_id, e.id, decode(md5(n::text), 'hex'), to_jsonb(repeat('x', 1900)), 1900
     from organizations o join events e on e.organization_id = o.id, generate_series(1, 16000) n where o.slug = $1`,
    [tenant.org],
  );
  const client = await app.pool.connect();
  try {
    expect(await measureUsage(client, 32)).toEqual([tenant.org]);
  } finally {
    client.release();
  }
  const { body } = await app.as(tenant.key).get(quotasOf(tenant));
  const { used } = (body as { stored_mb: { used: number } }).stored_mb;
  expect([used > 26, used < 36]).toEqual([true, true]);
});

it('an event has as many notifications as the quota says, by whichever way', async () => {
  const tenant = await tenantWith(rule('One'));
  await limit(tenant, { notifications_per_event: 2 });
  const create = (name: string) =>
    app
      .as(tenant.key)
      .post(`${eventOf(tenant)}n/`)
      .send({ name, distribution_lists: ['Staff'], templates: [{ channel: 'inbox', text: 'Hi' }] });
  expect((await create('Two')).status).toBe(201);
  const refused = await create('Three');
  expect([refused.status, refused.body]).toEqual([
    409,
    expect.objectContaining({
      detail: expect.stringContaining(
        `would have 3 notifications, and the organization's quota notifications_per_event is 2`,
      ),
    }),
  ]);
  await expect(tenant.apply({ notifications: [rule('Three')] })).rejects.toThrow(
    /^line 1: event tenant-\d+\/shop\/web\/order-paid: The event would have 3 notifications/,
  );
  // A lower quota takes nothing away.
  await limit(tenant, { notifications_per_event: 1 });
  await tenant.apply({ notifications: [{ ...rule('Two'), enabled: false }] });
  const { body: left } = await app.as(tenant.key).get(`${eventOf(tenant)}n/`);
  expect(left).toMatchObject([
    { name: 'One', enabled: true },
    { name: 'Two', enabled: false },
  ]);
});

it('the notifications of an event are as large as the quota says', async () => {
  const tenant = await tenantWith(rule('One', 'x'.repeat(3000)));
  await limit(tenant, { ruleset_kb: 4 });
  const { body } = await app.as(tenant.key).get(`${eventOf(tenant)}n/`);
  const one = `${eventOf(tenant)}n/${(body as [{ id: number }])[0].id}/`;
  const write = (length: number) =>
    app
      .as(tenant.key)
      .patch(one)
      .send({ templates: [{ channel: 'inbox', text: 'x'.repeat(length) }] });
  const refused = await write(5000);
  expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
    409,
    expect.stringMatching(/would take 6 KB together, and the organization's quota ruleset_kb is 4\. Shorten/),
  ]);
  expect((await write(3500)).status).toBe(200);
  // Under a lower quota, they may only become smaller.
  await limit(tenant, { ruleset_kb: 1 });
  expect((await write(3600)).status).toBe(409);
  expect((await write(3000)).status).toBe(200);
});

it('send_at may be as far ahead as the quota says, for a trigger and for its simulation', async () => {
  const tenant = await tenantWith(rule('Tell'));
  const before = await refusals('send_at_days');
  for (const operation of ['trigger', 'simulate']) {
    const at = (sendAt: string) =>
      app
        .as(tenant.key)
        .post(`${eventOf(tenant)}${operation}/`)
        .send({ options: { send_at: sendAt } });
    const { status, body } = await at('9999-01-01T00:00:00Z');
    expect([status, (body as { errors: object }).errors]).toEqual([
      400,
      {
        'options.send_at': [expect.stringContaining(`within 366 days from now, the organization's quota send_at_days`)],
      },
    ]);
    expect((await at(inDays(365))).status).toBeLessThan(300);
  }
  await limit(tenant, { send_at_days: 2 });
  expect((await trigger(tenant, { options: { send_at: inDays(3) } })).status).toBe(400);
  expect((await trigger(tenant, { options: { send_at: inDays(1) } })).status).toBe(201);
  expect((await refusals('send_at_days')) - before).toBe(3);
});

it('a file sets quotas, and an export writes them', async () => {
  const tenant = await tenantWith(rule('Tell'));
  const file = (quotas: object) =>
    JSON.stringify({ organizations: [{ slug: tenant.org, name: `The ${tenant.org}`, quotas }] });
  await app.apply(file({ stored_mb: 77, ruleset_kb: 99 }));
  await app.apply(file({ ruleset_kb: null }));
  const { body } = await app.as(tenant.key).get(quotasOf(tenant));
  expect(body).toMatchObject({ stored_mb: { limit: 77, is_default: false }, ruleset_kb: { is_default: true } });
  let exported = '';
  for await (const part of app.app.get(ExportService).organization(tenant.org, { people: true })) exported += part;
  expect(exported).toContain('quotas:\n      stored_mb: 77\n');
  expect(await app.app.get(ProvisioningService).apply(exported, {})).toEqual([]);
});
