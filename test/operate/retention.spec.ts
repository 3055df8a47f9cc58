import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { readConfig } from '../../src/platform/config/config.js';
import { uuidV7 } from '../../src/platform/field/uuid-v7.js';
import { BATCH, Purge } from '../../src/engine/purge/purge.js';
import { PURGE_LOCK } from '../../src/engine/purge/purge.sql.js';
import type { TestApp } from '../support/app/app.js';
import { Service } from '../support/app/service.js';
import { useApp } from '../support/app/use.js';
import { startWorker } from '../support/app/worker.js';
import { until } from '../support/until.js';
import { Tenant, inbox } from '../support/world/tenant.js';

const DAY_MS = 86_400_000;
const ANN = 'ann@acme.test';

let app: TestApp;
// Only the API: what is purged is purged when a story says so.
useApp({}, (started) => (app = started));

const purge = () => new Purge(app.databaseUrl, readConfig({}));

interface OccurrenceRow {
  days?: number;
  /** By the clock of the process that took the trigger, when that was wrong. */
  daysById?: number;
  status?: string;
  canceledDays?: number;
  options?: object;
  deliveries?: number;
  delivery?: 'pending' | 'sent' | 'skipped' | 'dead';
}

/** An occurrence as it stands so many days after its trigger, with deliveries that have an attempt and a message each. */
async function occurrenceOf(
  { org }: Tenant,
  {
    days = 31,
    daysById = days,
    status = 'expanded',
    canceledDays,
    options = {},
    deliveries = 2,
    delivery = 'sent',
  }: OccurrenceRow = {},
): Promise<string> {
  const id = uuidV7(Date.now() - daysById * DAY_MS);
  await app.pool.query(
    `with made as (
       insert into occurrences (id, organization_id, event_id, context, options, status, created_at, canceled_at)
       select $1, e.organization_id, e.id, '{}', $3, $4, now() - make_interval(hours => 24 * $5), now() - make_interval(hours => 24 * $8)
       from events e join organizations o on o.id = e.organization_id where o.slug = $2
       returning id, organization_id
     ), sent as (
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, attempts)
       select made.id, organization_id, 1, 1, n, case when n = 1 then $7 else 'sent' end::delivery_status, 1
       from made, generate_series(1, $6::int) n
       returning id
     ), tried as (
       insert into attempts (delivery_id, number, at, duration_ms, outcome, answer) select id, 1, now(), 5, 'sent', 'ok' from sent
     )
     insert into messages (delivery_id, recipient, subject, text, html) select id, 'a@b.test', 'Hi', 'Hi', '' from sent`,
    [id, org, JSON.stringify(options), status, days, deliveries, delivery, canceledDays],
  );
  return id;
}

/** How many rows are left of an occurrence. */
async function left(occurrence: string) {
  const { rows } = await app.pool.query<Record<string, number>>(
    `with d as (select id from deliveries where occurrence_id = $1)
     select (select count(*)::int from occurrences where id = $1) occurrences,
            (select count(*)::int from d) deliveries,
            (select count(*)::int from attempts where delivery_id in (select id from d)) attempts,
            (select count(*)::int from messages where delivery_id in (select id from d)) messages,
            (select count(*)::int from idempotency_keys where occurrence_id = $1) keys`,
    [occurrence],
  );
  return rows[0]!;
}

const exists = async (occurrence: string) => (await left(occurrence)).occurrences === 1;

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** Everything of an occurrence as it would be after so many days; ids are times too. */
async function letDaysPass(occurrence: string, days: number): Promise<string> {
  const id = uuidV7(Date.now() - days * DAY_MS);
  const sql = `update occurrences set id = $2, created_at = created_at - make_interval(days => $3) where id = $1`;
  await app.pool.query(sql, [occurrence, id, days]);
  return id;
}

/** A tenant who tells Ann in her inbox. */
const tenantWithInbox = () =>
  Tenant.create(app, {
    channels: [inbox('inbox')],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'inbox', text: 'Hi' }] }],
  });

async function inboxOf({ org, key }: Tenant): Promise<object[]> {
  const { status, body } = await app.as(key).get(`/api/o/${org}/u/${ANN}/inbox/`);
  expect(status).toBe(200);
  return body as object[];
}

describe('an occurrence', () => {
  it('goes when it is old, with everything that hangs on it; a young one stays', async () => {
    const tenant = await Tenant.create(app, {});
    const [old, young] = [await occurrenceOf(tenant), await occurrenceOf(tenant, { days: 29 })];
    const key = `insert into idempotency_keys (event_id, key, body_hash, occurrence_id) select event_id, id, '', id from occurrences where id = any($1)`;
    await app.pool.query(key, [[old, young]]);
    const all = { occurrences: 1, deliveries: 2, attempts: 2, messages: 2, keys: 1 };
    expect([await left(old), await left(young)]).toEqual([all, all]);
    const { rows } = await app.pool.query('select id from deliveries where occurrence_id = $1', [old]);
    expect(await purge().run()).toEqual({
      occurrences: 1,
      deliveries: 2,
      inboxMessages: 0,
      idempotencyKeys: 0,
      messagePlaces: 0,
      rulesets: 0,
      files: 0,
    });
    expect(await left(young)).toEqual(all);
    expect(await left(old)).toEqual({ occurrences: 0, deliveries: 0, attempts: 0, messages: 0, keys: 0 });
    const ids = rows.map(({ id }: { id: string }) => id);
    for (const table of ['attempts', 'messages'])
      expect((await app.pool.query(`select from ${table} where delivery_id = any($1)`, [ids])).rowCount).toBe(0);
  });

  it('goes as its own event says, whatever the service and other tenants say', async () => {
    const [short, long, usual] = await Promise.all([
      Tenant.create(app, { retentionDays: 2 }),
      Tenant.create(app, { retentionDays: 400 }),
      Tenant.create(app, {}),
    ]);
    const young = await Promise.all([short, long, usual].map((tenant) => occurrenceOf(tenant, { days: 1 })));
    const middle = await Promise.all([short, long, usual].map((tenant) => occurrenceOf(tenant, { days: 3 })));
    const old = await Promise.all([short, long, usual].map((tenant) => occurrenceOf(tenant, { days: 399 })));
    await purge().run();
    expect(await Promise.all(young.map(exists))).toEqual([true, true, true]);
    expect(await Promise.all(middle.map(exists))).toEqual([false, true, true]);
    expect(await Promise.all(old.map(exists))).toEqual([false, true, false]);
    await long.apply({ retentionDays: null });
    await purge().run();
    expect(await exists(old[1]!)).toBe(false);
  });

  it.each([
    ['that was expanded', {}, true],
    ['whose id is older than it is', { days: 29, daysById: 31 }, false],
    ['that was canceled', { status: 'canceled' }, true],
    ['that failed', { status: 'failed', deliveries: 0 }, true],
    ['with a delivery that is dead', { delivery: 'dead' }, true],
    ['with a delivery that is pending', { delivery: 'pending' }, false],
    ['that was held, and approved by nobody', { status: 'held', deliveries: 0 }, true],
    ['that waits for a worker', { status: 'pending', deliveries: 0 }, false],
    ['that is being expanded', { status: 'expanding' }, false],
    ['whose time has not come', { status: 'pending', deliveries: 0, options: { send_at: inDays(5) } }, false],
    ['canceled before its time', { status: 'canceled', options: { send_at: inDays(5) } }, false],
    ['canceled long before its time', { status: 'canceled', canceledDays: 31, options: { send_at: inDays(5) } }, true],
    ['sent a day ago, as it was told', { options: { send_at: inDays(-1) } }, false],
    ['sent long ago, as it was told', { options: { send_at: inDays(-30.5) } }, true],
    ['sent at a time that PostgreSQL cannot read', { options: { send_at: '2020-01-01T00:00:00+23:59' } }, true],
  ] as [string, OccurrenceRow, boolean][])('%s goes or stays as it should', async (_, row, goes) => {
    const occurrence = await occurrenceOf(await Tenant.create(app, {}), row);
    const before = await left(occurrence);
    await purge().run();
    expect(await left(occurrence)).toEqual(
      goes ? { occurrences: 0, deliveries: 0, attempts: 0, messages: 0, keys: 0 } : before,
    );
  });

  it('stays with the delivery that someone has in hand, and goes when that is done', async () => {
    const occurrence = await occurrenceOf(await Tenant.create(app, {}), { deliveries: 5, delivery: 'dead' });
    const person = await app.pool.connect();
    try {
      await person.query('begin');
      const retry = `update deliveries set status = 'pending' where occurrence_id = $1 and status = 'dead'`;
      await person.query(retry, [occurrence]);
      await purge().run();
      expect(await left(occurrence)).toMatchObject({ occurrences: 1, deliveries: 1, attempts: 1 });
      await person.query('commit');
    } finally {
      person.release();
    }
    await purge().run();
    expect(await left(occurrence)).toMatchObject({ occurrences: 1, deliveries: 1, attempts: 1 });
    await app.pool.query(`update deliveries set status = 'sent' where occurrence_id = $1`, [occurrence]);
    await purge().run();
    expect(await exists(occurrence)).toBe(false);
  });

  it('does not hide those behind it: page after page is looked at', async () => {
    const tenant = await Tenant.create(app, {});
    await app.pool.query(
      `insert into occurrences (id, organization_id, event_id, context, options, status, created_at)
       select (substr($2, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, e.organization_id, e.id, '{}',
              case when n <= 600 then $3 else '{}' end::jsonb, 'canceled', now() - interval '40 days'
       from events e join organizations o on o.id = e.organization_id, generate_series(1, 1300) n where o.slug = $1`,
      [tenant.org, uuidV7(Date.now() - 40 * DAY_MS), JSON.stringify({ send_at: inDays(5) })],
    );
    expect(await purge().run()).toMatchObject({ occurrences: 700, deliveries: 0 });
    expect(await purge().run()).toMatchObject({ occurrences: 0 });
  });
});

describe('an in-app message', () => {
  it('outlives its occurrence, and goes by its own age', async () => {
    const tenant = await tenantWithInbox();
    const worker = await startWorker(app);
    const occurrence = await tenant.trigger();
    expect(await tenant.settled(occurrence)).toMatchObject([{ user: ANN, status: 'sent' }]);
    await worker.stop();
    const messages = await inboxOf(tenant);
    expect(messages).toMatchObject([{ text: 'Hi' }]);
    const old = await letDaysPass(occurrence, 31);
    expect(await left(old)).toMatchObject({ occurrences: 1, deliveries: 1, attempts: 1 });
    await purge().run();
    expect(await left(old)).toMatchObject({ occurrences: 0, deliveries: 0, attempts: 0 });
    expect(await inboxOf(tenant)).toEqual(messages);
    const age = `update inbox_messages set created_at = created_at - make_interval(days => $1)`;
    await app.pool.query(age, [89]);
    await purge().run();
    expect(await inboxOf(tenant)).toHaveLength(1);
    await app.pool.query(age, [2]);
    expect(await purge().run()).toMatchObject({ inboxMessages: 1 });
    expect(await inboxOf(tenant)).toEqual([]);
  });
});

it('an idempotency key goes after a day, long before its occurrence', async () => {
  const occurrence = await occurrenceOf(await Tenant.create(app, {}), { days: 2 });
  const key = `insert into idempotency_keys (event_id, key, body_hash, occurrence_id, created_at) select event_id, id, '', id, created_at from occurrences where id = $1`;
  await app.pool.query(key, [occurrence]);
  expect(await purge().run()).toMatchObject({ occurrences: 0, idempotencyKeys: 1 });
  expect(await left(occurrence)).toMatchObject({ occurrences: 1, deliveries: 2, keys: 0 });
});

it('no statement and no transaction deletes more than a few thousand rows', async () => {
  await app.pool.query(`create table deletions (relation text, rows int, transaction bigint)`);
  await app.pool.query(
    `create function note_deletion() returns trigger language plpgsql as
     $$ begin insert into deletions select tg_table_name, count(*), txid_current() from gone; return null; end $$`,
  );
  for (const table of ['deliveries', 'inbox_messages', 'idempotency_keys', 'occurrences'])
    await app.pool.query(
      `create trigger note_deletion after delete on ${table} referencing old table as gone
       for each statement execute function note_deletion()`,
    );
  const many = BATCH * 2 + 1;
  const tenant = await tenantWithInbox();
  const occurrence = await occurrenceOf(tenant, { deliveries: many });
  await app.pool.query(
    `insert into inbox_messages (organization_id, user_id, subject, text, html, created_at)
     select u.organization_id, u.id, '', '', '', now() - interval '91 days'
     from users u join organizations o on o.id = u.organization_id, generate_series(1, $2::int) where o.slug = $1`,
    [tenant.org, many],
  );
  expect(await purge().run()).toMatchObject({ occurrences: 1, deliveries: many, inboxMessages: many });
  expect(await exists(occurrence)).toBe(false);
  const { rows } = await app.pool.query(
    `select relation, array_agg(rows order by rows desc) rows, count(distinct transaction)::int transactions
     from deletions where rows > 0 group by relation order by relation`,
  );
  expect(rows).toEqual([
    { relation: 'deliveries', rows: [BATCH, BATCH, 1], transactions: 3 },
    { relation: 'inbox_messages', rows: [BATCH, BATCH, 1], transactions: 3 },
    { relation: 'occurrences', rows: [1], transactions: 1 },
  ]);
});

describe('processes', () => {
  it('purge one at a time', async () => {
    const occurrence = await occurrenceOf(await Tenant.create(app, {}));
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    await other.query('select pg_advisory_lock($1)', [PURGE_LOCK]);
    expect(await purge().run()).toBeNull();
    expect(await exists(occurrence)).toBe(true);
    await other.end();
    const several = await until(10_000, async () => {
      const results = await Promise.all([purge().run(), purge().run(), purge().run()]);
      return results.some((result) => result !== null) && results;
    });
    expect(several.reduce((sum, result) => sum + (result?.occurrences ?? 0), 0)).toBe(1);
    expect(await exists(occurrence)).toBe(false);
  });

  it('stop at once, also while a purge waits', async () => {
    await occurrenceOf(await Tenant.create(app, {}));
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    await other.query('begin; lock table deliveries');
    const stopped = purge();
    const running = stopped.run().catch((error: Error) => error);
    await until(10_000, async () => {
      const sql = `select from pg_stat_activity where application_name = 'carillon purge' and wait_event_type = 'Lock'`;
      return (await app.pool.query(sql)).rowCount;
    });
    await stopped.beforeApplicationShutdown();
    expect(await running).toBeInstanceOf(Error);
    await other.end(); // only now would it have had its lock
  });

  it('purge soon after they start, and say so', async () => {
    const occurrence = await occurrenceOf(await Tenant.create(app, {}), { days: 4, deliveries: 3 });
    const env = { DATABASE_URL: app.databaseUrl, ROLE: 'worker', RETENTION_DAYS: '3' };
    const service = await Service.start(env);
    try {
      await until(25_000, async () => !(await exists(occurrence)));
      const said = await until(5000, () => /.*"message":"purged".*/.exec(service.output)?.[0]);
      expect(JSON.parse(said)).toMatchObject({ level: 'info', context: 'Purge', deliveries: expect.any(Number) });
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });
});

it('deletes figures that are older than a year, and keeps those of occurrences that it has deleted', async () => {
  const tenant = await Tenant.create(app, { notifications: [] });
  const insert = (table: string, time: string, columns: string, values: string) =>
    app.pool.query(
      `insert into ${table} (organization_id, ${time}, channel_id, outcome, reason, project_id, application_id, count, ${columns})
       select id, now() - make_interval(days => days, months => ${time === 'month' ? 1 : 0}), 1, 'sent', '', 1, 1, days, ${values} from organizations, unnest('{364,366}'::int[]) days where slug = $1`,
      [tenant.org],
    );
  await insert('figures', 'hour', 'notification_id, event_id', '1, 1');
  await insert('daily_figures', 'day', 'notification_id, event_id', '1, 1');
  await insert('domain_figures', 'hour', 'domain', `'acme.test'`);
  await insert('daily_domain_figures', 'day', 'domain', `'acme.test'`);
  // A month is kept until the last of its days is too old.
  await insert('monthly_figures', 'month', 'notification_id, event_id', '1, 1');
  await insert('monthly_domain_figures', 'month', 'domain', `'acme.test'`);
  await purge().run();
  const ofDays = ['daily_figures', 'daily_domain_figures'];
  for (const table of ['figures', 'domain_figures', ...ofDays, 'monthly_figures', 'monthly_domain_figures']) {
    const { rows } = await app.pool.query<{ count: number }>(
      `select count from ${table} f join organizations o on o.id = f.organization_id where o.slug = $1`,
      [tenant.org],
    );
    expect(rows).toEqual([{ count: 364 }]);
  }
});
