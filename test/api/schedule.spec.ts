import { describe, expect, it } from '@jest/globals';
import { LOAD_DUE } from '../../src/api/schedule/schedule.sql.js';
import type { Permission } from '../../src/auth/permission.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { until } from '../support/until.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
useApp({ ROLE: 'all' }, (started) => (app = started));

const ANN = 'ann@acme.test';
const HOURLY = { cron: '0 * * * *' };

const tenantOf = () =>
  Tenant.create(app, {
    channels: [inbox('inbox')],
    users: [{ email: ANN }],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'inbox', text: '{{ n }}' }] }],
  });

const event = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/`;
const path = (tenant: Tenant) => `${event(tenant)}schedule/`;

interface Schedule {
  next_runs: string[];
  last_runs: { slot: string; occurrence: string | null; skipped: string | null }[];
}

const put = (tenant: Tenant, body: object) => app.as(tenant.key).put(path(tenant)).send(body);
const get = async (tenant: Tenant) => (await app.as(tenant.key).get(path(tenant)).expect(200)).body as Schedule;

/** Lets the next slot come so many minutes ago. */
async function come({ org }: Tenant, minutesAgo: number): Promise<void> {
  const slot = `date_trunc('minute', now()) - $2 * interval '1 minute'`;
  await app.pool.query(
    `update schedule_runs r set slot = ${slot} from organizations o
     where o.id = r.organization_id and o.slug = $1 and r.occurrence_id is null and r.skipped is null`,
    [org, minutesAgo],
  );
}

const ranOf = (tenant: Tenant, count = 1) =>
  until(10_000, async () => {
    const { last_runs: runs } = await get(tenant);
    return runs.length >= count && runs;
  });

/** At the minute of the hour that was so many minutes ago. Made once a test: a minute may end while it runs. */
const hourlyAt = (minutesAgo: number) => `${new Date(Date.now() - minutesAgo * 60_000).getUTCMinutes()} * * * *`;

describe('a schedule', () => {
  it('is set, read, paused, resumed and deleted', async () => {
    const tenant = await tenantOf();
    await app.as(tenant.key).get(path(tenant)).expect(404);
    const body = { cron: '0 9 * * mon', time_zone: 'europe/rome', context: { n: 1 }, options: { priority: 'bulk' } };
    const { body: set, status } = await put(tenant, body);
    expect([status, set]).toEqual([
      200,
      { ...body, time_zone: 'Europe/Rome', enabled: true, next_runs: expect.any(Array), last_runs: [] },
    ]);
    const { next_runs: next } = set as Schedule;
    expect(next).toHaveLength(5);
    for (const at of next) {
      const clock = { timeZone: 'Europe/Rome', weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;
      expect(new Intl.DateTimeFormat('en-GB', clock).format(new Date(at))).toMatch(/^Mon,? 09:00$/);
    }
    const pause = (enabled: boolean) => app.as(tenant.key).patch(path(tenant)).send({ enabled }).expect(200);
    expect((await pause(false)).body).toMatchObject({ enabled: false, next_runs: [] });
    const planned = () =>
      app.pool.query(`select from schedule_runs r join organizations o on o.id = r.organization_id where o.slug = $1`, [
        tenant.org,
      ]);
    expect((await planned()).rowCount).toBe(0);
    expect((await pause(true)).body).toMatchObject({ enabled: true, next_runs: next });
    expect((await planned()).rowCount).toBe(1);
    await app.as(tenant.key).delete(path(tenant)).expect(204);
    await app.as(tenant.key).delete(path(tenant)).expect(404);
    expect((await planned()).rowCount).toBe(0);
  });

  it('triggers its event when a slot has come, and explain names it', async () => {
    const tenant = await tenantOf();
    const cron = hourlyAt(5);
    await put(tenant, { cron, context: { n: 7 } }).expect(200);
    await come(tenant, 5);
    const [run] = await ranOf(tenant);
    expect(run).toEqual({ slot: expect.any(String), occurrence: expect.any(String), skipped: null });
    await tenant.settled(run!.occurrence!);
    const { rows } = await app.pool.query<{ text: string }>(
      `select m.text from inbox_messages m join deliveries d on d.id = m.delivery_id where d.occurrence_id = $1`,
      [run!.occurrence],
    );
    expect(rows).toEqual([{ text: '7' }]);
    for (const query of ['', `?user=${ANN}`, '?user=nobody@acme.test']) {
      const explain = `/api/o/${tenant.org}/occurrences/${run!.occurrence}/explain/${query}`;
      expect((await app.as(tenant.key).get(explain).expect(200)).body).toMatchObject({
        schedule: { cron, time_zone: 'UTC', slot: run!.slot },
        sentence: expect.stringContaining(`; the schedule "${cron}" in UTC triggered the event for `),
      });
    }
    expect((await get(tenant)).last_runs).toHaveLength(1);
  });

  it('runs only the latest slot that was missed', async () => {
    const tenant = await tenantOf();
    await put(tenant, { cron: '* * * * *' }).expect(200);
    await come(tenant, 3);
    const runs = await ranOf(tenant, 4);
    expect(runs.filter(({ occurrence }) => occurrence)).toHaveLength(1);
    expect(runs[0]!.occurrence).not.toBeNull();
    expect(runs[1]!.skipped).toContain('only the latest missed slot is run');
    await app.as(tenant.key).delete(path(tenant)).expect(204);
  });

  it('does not run a slot that came an hour ago', async () => {
    const tenant = await tenantOf();
    const slot = new Date(Date.now() - 7_200_000);
    await put(tenant, { cron: `${slot.getUTCMinutes()} ${slot.getUTCHours()} * * *` });
    await come(tenant, 120);
    expect(await ranOf(tenant)).toMatchObject([
      { occurrence: null, skipped: 'no process ran within an hour of that time' },
    ]);
    expect((await get(tenant)).next_runs).toHaveLength(5);
  });

  it('skips its slots while the event is switched off, and says so', async () => {
    const tenant = await tenantOf();
    await app.as(tenant.key).patch(event(tenant)).send({ enabled: false }).expect(200);
    await put(tenant, { cron: hourlyAt(5) }).expect(200);
    await come(tenant, 5);
    expect(await ranOf(tenant)).toMatchObject([{ occurrence: null, skipped: 'the event was switched off' }]);
  });

  it('skips a slot whose trigger would be refused, with the same words', async () => {
    const tenant = await tenantOf();
    await put(tenant, { cron: hourlyAt(5), options: { recipients: [ANN] } }).expect(200);
    await come(tenant, 5);
    const [run] = await ranOf(tenant);
    expect(run!.skipped).toMatch(/^options\.recipients must be left out: no notification/);
  });

  it.each<[object, object]>([
    [{}, { cron: ['must be a string'] }],
    [{ cron: '61 * * * *' }, { cron: [expect.stringContaining('must have five fields')] }],
    [{ cron: '* * * * * *' }, { cron: [expect.stringContaining('must have five fields')] }],
    [{ ...HOURLY, time_zone: 'CET+1' }, { time_zone: [expect.any(String)] }],
    [
      { ...HOURLY, options: { send_at: '2030-01-01T08:00:00Z' } },
      { 'options.send_at': [expect.stringContaining('again and again')] },
    ],
    [
      { ...HOURLY, options: { recipients: [{ email: ANN }] } },
      { 'options.recipients': [expect.stringContaining('must be usernames')] },
    ],
    [
      { ...HOURLY, options: { channels: ['nope'] } },
      { 'options.channels': [expect.stringContaining('"nope" is not a channel')] },
    ],
    [{ ...HOURLY, options: { to: 1 } }, { 'options.to': [expect.stringContaining('is not a known field')] }],
  ])('refuses %j', async (body, errors) => {
    const tenant = await tenantOf();
    const { status, body: answer } = await put(tenant, body);
    expect([status, (answer as { errors: object }).errors]).toEqual([400, errors]);
  });

  it('needs the permission to trigger, and its own for critical messages', async () => {
    const tenant = await tenantOf();
    const as = async (permissions: Permission[], body: object) => {
      const key = await app.key({ org: tenant.org, permissions });
      return (await app.as(key).put(path(tenant)).send(body)).status;
    };
    expect(await as(['event:write'], HOURLY)).toBe(403);
    expect(await as(['event:write', 'event:trigger'], HOURLY)).toBe(200);
    expect(await as(['event:write', 'event:trigger'], { ...HOURLY, options: { priority: 'critical' } })).toBe(403);
  });

  it('needs the same permissions to be resumed', async () => {
    const tenant = await tenantOf();
    await put(tenant, { ...HOURLY, options: { priority: 'critical' }, enabled: false }).expect(200);
    const as = async (permissions: Permission[], enabled: boolean) => {
      const key = await app.key({ org: tenant.org, permissions });
      return (await app.as(key).patch(path(tenant)).send({ enabled })).status;
    };
    expect(await as(['event:write'], false)).toBe(200);
    expect(await as(['event:write', 'event:trigger'], true)).toBe(403);
    expect(await as(['event:write', 'event:trigger', 'event:trigger-critical'], true)).toBe(200);
  });

  it('keeps a change that is made while it is resumed', async () => {
    const tenant = await tenantOf();
    await put(tenant, { ...HOURLY, enabled: false }).expect(200);
    const client = await app.pool.connect();
    try {
      await client.query('begin');
      const lock = `select e.id from events e join organizations o on o.id = e.organization_id where o.slug = $1 for no key update of e`;
      const { id } = (await client.query<{ id: number }>(lock, [tenant.org])).rows[0]!;
      const sent = app.as(tenant.key).patch(path(tenant)).send({ enabled: true });
      const resumed = sent.then(({ body }) => body as unknown);
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await until(10_000, async () => (await app.pool.query(waits)).rowCount! > 0);
      await client.query(`update schedules set cron = '5 * * * *' where event_id = $1`, [id]);
      await client.query('commit');
      expect(await resumed).toMatchObject({ cron: '5 * * * *', enabled: true });
    } finally {
      client.release();
    }
  });

  it('does not look at a slot that a change of the schedule has left behind', async () => {
    const tenant = await tenantOf();
    await put(tenant, HOURLY).expect(200);
    await app.pool.query(`update schedule_runs set cron = '1 1 1 1 *'`);
    await come(tenant, 5);
    expect((await app.pool.query(LOAD_DUE, [100])).rows).toEqual([]);
  });

  it('is refused above the quota of the organization', async () => {
    const tenant = await tenantOf();
    await app.pool.query(`update organizations set quotas = '{"schedules": 1}' where slug = $1`, [tenant.org]);
    await put(tenant, HOURLY).expect(200);
    await put(tenant, { cron: '5 * * * *' }).expect(200);
    await app.as(tenant.key).post(event(tenant).replace('order-paid/', '')).send({ slug: 'other', name: 'Other' });
    const { status, body } = await app.as(tenant.key).put(path(tenant).replace('order-paid', 'other')).send(HOURLY);
    expect([status, (body as { errors: object }).errors]).toEqual([
      400,
      { cron: [expect.stringContaining('quota schedules')] },
    ]);
  });

  it('is in the audit log, and its runs are not', async () => {
    const tenant = await tenantOf();
    await put(tenant, { cron: hourlyAt(5) }).expect(200);
    await come(tenant, 5);
    await ranOf(tenant);
    await app.as(tenant.key).patch(path(tenant)).send({ enabled: false }).expect(200);
    await app.as(tenant.key).delete(event(tenant));
    const { rows } = await app.pool.query(
      `select a.verb, a.name, a.changes->'enabled' enabled from audit_entries a join organizations o on o.id = a.organization_id
       where o.slug = $1 and a.noun = 'schedule' order by a.id`,
      [tenant.org],
    );
    expect(rows.slice(0, 2)).toEqual([
      { verb: 'create', name: 'shop/web/order-paid', enabled: [null, true] },
      { verb: 'update', name: 'shop/web/order-paid', enabled: [true, false] },
    ]);
  });

  it('is a part of the file: applied, planned, exported and pruned', async () => {
    const tenant = await tenantOf();
    const file = (schedule?: object | null) => {
      const events = [{ slug: 'order-paid', name: 'Order paid', ...(schedule !== undefined && { schedule }) }];
      const projects = [{ slug: 'shop', name: 'Shop', applications: [{ slug: 'web', name: 'Web shop', events }] }];
      return { organizations: [{ slug: tenant.org, name: `The ${tenant.org}`, projects }] };
    };
    const schedule = {
      cron: '0 9 * * mon',
      time_zone: 'Europe/Rome',
      context: { n: 1 },
      options: { priority: 'bulk' },
    };
    await app.apply(JSON.stringify(file(schedule)));
    expect(await get(tenant)).toMatchObject(schedule);
    await app.apply(JSON.stringify(file()));
    expect(await get(tenant)).toMatchObject(schedule);
    await app.apply(JSON.stringify(file({ ...schedule, enabled: false })));
    expect(await get(tenant)).toMatchObject({ enabled: false });
    await app.apply(JSON.stringify(file(null)));
    await app.as(tenant.key).get(path(tenant)).expect(404);
    await expect(app.apply(JSON.stringify(file({ cron: 'nope' })))).rejects.toThrow('must have five fields');
  });
});
