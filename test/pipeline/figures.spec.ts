import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, mail } from '../support/world/tenant.js';
import { uuidV7 } from '../../src/platform/field/uuid-v7.js';

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

interface Figures {
  since: string;
  until: string;
  time_zone: string;
  total: Record<string, number>;
  rows: ({ name: string | null } & Record<string, number>)[];
  rest: Record<string, number>;
}

const tenantOf = () =>
  Tenant.create(app, {
    channels: [mail('mail', sink.port)],
    users: [{ email: 'ann@one.test' }, { email: 'bob@Two.test' }, { email: 'cid@one.test', locked: true }],
    lists: [{ name: 'Staff', members: ['ann@one.test', 'bob@Two.test', 'cid@one.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', text: 'Hi' }] }],
  });

const get = async ({ org, key }: Pick<Tenant, 'org' | 'key'>, query = '') =>
  app.as(key).get(`/api/o/${org}/figures/${query}`);
const figures = async (tenant: Pick<Tenant, 'org' | 'key'>, query = '') => (await get(tenant, query)).body as Figures;

/** What was counted is a few seconds behind. */
const counted = (tenant: Tenant, total: object) =>
  until(20_000, async () => {
    const body = await figures(tenant);
    return Object.entries(total).every(([field, count]) => body.total[field] === count);
  });

it('counts what was sent and what was not, by all that they have in common', async () => {
  const tenant = await tenantOf();
  await tenant.settled(await tenant.trigger());
  await tenant.settled(await tenant.trigger());
  await counted(tenant, { messages: 6, sent: 4, skipped: 2, waiting: 0, failed: 0, half_within_seconds: 1 });
  const { body: occurrences } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/?counts=1`);
  const counts = (occurrences as { counts: object }[]).map((each) => each.counts);
  expect(counts).toEqual(Array.from({ length: 2 }, () => ({ total: 3, sent: 2, dead: 0, pending: 0, skipped: 1 })));
  const named = async (by: string) =>
    (await figures(tenant, `?by=${by}`)).rows.map(({ name, sent, skipped }) => [name, sent, skipped]);
  expect(await named('event')).toEqual([['shop/web/order-paid', 4, 2]]);
  expect(await named('project')).toEqual([['shop', 4, 2]]);
  expect(await named('channel')).toEqual([['mail', 4, 2]]);
  expect(await named('domain')).toEqual([
    ['one.test', 2, 0],
    ['two.test', 2, 0],
  ]);
  expect(await named('outcome')).toEqual([
    ['sent', 4, 0],
    ['skipped', 0, 2],
  ]);
  expect(await named('reason')).toEqual([
    ['sent', 4, 0],
    ['skipped/locked', 0, 2],
  ]);
  const { time_zone: zone, rows, rest } = await figures(tenant, '?by=hour');
  expect([zone, rows.reduce((sum, row) => sum + row.sent!, 0), rest.messages]).toEqual(['UTC', 4, 0]);
  // Filters.
  const messages = async (query: string) => (await figures(tenant, query)).total.messages;
  expect(await messages('?outcome=sent&project=shop&application=shop/web&event=shop/web/order-paid&channel=mail')).toBe(
    4,
  );
  for (const none of [
    'project=depot',
    'application=shop/till',
    'event=shop/web/sent',
    'channel=push',
    'outcome=failed',
  ])
    expect(await messages(`?${none}`)).toBe(0);
  // What is deleted still counts, without a name. Keys of a branch see their branch.
  const other = await app.key({ org: tenant.org, project: 'shop', application: 'web' });
  expect((await figures({ org: tenant.org, key: other })).total.messages).toBe(6);
  await app.pool.query(`delete from events where organization_id = (select id from organizations where slug = $1)`, [
    tenant.org,
  ]);
  expect(await named('event')).toEqual([[null, 4, 2]]);
  expect((await app.as((await tenantOf()).key).get(`/api/o/${tenant.org}/figures/`)).status).toBe(404);
});

it('begins days in the time zone of the organization, and counts an occurrence when it was triggered', async () => {
  const tenant = await tenantOf();
  await app.pool.query(`update organizations set time_zone = 'Asia/Kolkata' where slug = $1`, [tenant.org]);
  // Ten days ago, because old figures are purged.
  const day = (n: number) => new Date(Date.now() - (10 - n) * 86_400_000).toISOString().slice(0, 10);
  // 23:45 and 00:15 in India.
  for (const time of [`${day(1)}T18:15:00Z`, `${day(1)}T18:45:00Z`])
    await app.pool.query(
      `with o as (
         insert into occurrences (id, organization_id, event_id, context, options)
         select $1, e.organization_id, e.id, '{}', '{}' from events e join organizations o on o.id = e.organization_id where o.slug = $2 returning *)
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, gate)
       select o.id, o.organization_id, n.id, c.id, 1, 'skipped', 'opted_out' from o join notifications n on n.event_id = o.event_id
       join channels c on c.organization_id = o.organization_id`,
      [uuidV7(Date.parse(time)), tenant.org],
    );
  const span = `since=${day(1)}T18:10:00Z&until=${day(3)}T00:10:00Z`;
  await until(20_000, async () => (await figures(tenant, `?${span}`)).total.opted_out === 2);
  const days = await figures(tenant, `?${span}&by=day`);
  expect(days).toMatchObject({
    since: `${day(1)}T17:30:00.000Z`,
    until: `${day(3)}T00:30:00.000Z`,
    time_zone: 'Asia/Kolkata',
  });
  expect(days.rows.map(({ name, messages }) => [name, messages])).toEqual([
    [`${day(0)}T18:30:00.000Z`, 1],
    [`${day(1)}T18:30:00.000Z`, 1],
    [`${day(2)}T18:30:00.000Z`, 0],
  ]);
  const hours = (await figures(tenant, `?${span}&by=hour`)).rows.map(({ name, messages }) => [name, messages]);
  expect([hours.length, hours.slice(0, 3), hours.at(-1)]).toEqual([
    31,
    [
      [`${day(1)}T17:30:00.000Z`, 1],
      [`${day(1)}T18:30:00.000Z`, 1],
      [`${day(1)}T19:30:00.000Z`, 0],
    ],
    [`${day(2)}T23:30:00.000Z`, 0],
  ]);
});

it('adds up whole months and days and the hours around them, also after the time zone has changed', async () => {
  const tenant = await tenantOf();
  const trigger = (at: number) =>
    app.pool.query(
      `with o as (
         insert into occurrences (id, organization_id, event_id, context, options)
         select $1, e.organization_id, e.id, '{}', '{}' from events e join organizations o on o.id = e.organization_id where o.slug = $2 returning *)
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, gate)
       select o.id, o.organization_id, n.id, c.id, 1, 'skipped', 'opted_out' from o join notifications n on n.event_id = o.event_id
       join channels c on c.organization_id = o.organization_id`,
      [uuidV7(at), tenant.org],
    );
  const HOUR_MS = 3_600_000;
  const noon = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS - 12 * HOUR_MS;
  // Once in seven hours, for four days.
  const times = Array.from({ length: 14 }, (_, i) => noon - 4 * 24 * HOUR_MS + i * 7 * HOUR_MS);
  // Once in 31 hours, for the three months before.
  const before = Array.from({ length: 70 }, (_, i) => noon - (8 * 24 + i * 31) * HOUR_MS);
  for (const at of [...times, ...before]) await trigger(at);
  let expected = times.length;
  const text = (at: number) => new Date(at).toISOString();
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
    await app.pool.query('update organizations set time_zone = $2 where slug = $1', [tenant.org, zone]);
    // The next message makes the days of this zone.
    await trigger(noon);
    expected += 1;
    await counted(tenant, { messages: expected });
    const { rows } = await app.pool.query(
      'select from figure_zones z join organizations o on o.id = z.organization_id where o.slug = $1 and z.time_zone = $2',
      [tenant.org, zone],
    );
    expect(rows).toHaveLength(1);
    for (const [since, end] of [
      [-5 * 24, 24],
      [-80, -3],
      [-60, -50],
      [-50, -26],
      [-73, 1],
    ] as const) {
      const span = `since=${text(noon + since * HOUR_MS)}&until=${text(noon + end * HOUR_MS)}`;
      const { total, rows: hours } = await figures(tenant, `?by=hour&${span}`);
      const daily = await figures(tenant, `?by=day&${span}`);
      expect(daily.total).toEqual(total);
      // Each day has what its hours have.
      const starts = daily.rows.map(({ name }) => name!);
      const sums = starts.map((start, i) =>
        hours
          .filter(({ name }) => name! >= start && (i === starts.length - 1 || name! < starts[i + 1]!))
          .reduce((sum, { messages }) => sum + messages!, 0),
      );
      expect([zone, since, daily.rows.map(({ messages }) => messages)]).toEqual([zone, since, sums]);
    }
    for (const [since, end] of [
      [-100 * 24, 24],
      [-85 * 24 - 3, -20],
      [-70 * 24, -5 * 24],
      [-40 * 24, -10 * 24 + 5],
    ] as const) {
      const span = `since=${text(noon + since * HOUR_MS)}&until=${text(noon + end * HOUR_MS)}`;
      const { total } = await figures(tenant, `?by=day&${span}`);
      const { rows: events } = await figures(tenant, `?by=event&${span}`);
      expect([zone, since, events[0]!.messages]).toEqual([zone, since, total.messages]);
      expect(total.messages).toBeGreaterThan(20);
    }
  }
  // Of months, what was counted for them is read, and not that of their days.
  const year = `since=${text(noon - 100 * 24 * HOUR_MS)}`;
  const { total: days } = await figures(tenant, `?by=day&${year}`);
  await app.pool.query(
    `update monthly_figures set count = count + 1000
     where (organization_id, month) = (select f.organization_id, min(month) from monthly_figures f join organizations o on o.id = f.organization_id
                                       where o.slug = $1 and month > $2::timestamptz group by 1)`,
    [tenant.org, text(noon - 100 * 24 * HOUR_MS)],
  );
  expect((await figures(tenant, `?by=channel&${year}`)).total.messages).toBe(days.messages! + 1000);
  expect((await figures(tenant, `?by=day&${year}`)).total).toEqual(days);
});

/** The ids of the occurrences that a query leaves, in pages of so many. */
async function occurrences({ org, key }: Tenant, query: string, limit = 3): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = `/api/o/${org}/occurrences/?${query}&limit=${limit}`; next;) {
    const { body, headers } = await app.as(key).get(next);
    ids.push(...(body as { id: string }[]).map(({ id }) => id));
    next = headers.link?.match(/^<([^<>]+)>/)?.[1]?.slice(app.url.length);
  }
  return ids;
}

it('leads to the occurrences behind a figure, by outcome, reason, channel and domain', async () => {
  const tenant = await tenantOf();
  const first = await tenant.trigger();
  await tenant.settled(first);
  await app.pool.query(`update users set locked = false where email = 'cid@one.test'`);
  const second = await tenant.trigger();
  await tenant.settled(second);
  await app.pool.query(`update users set locked = true where email = 'bob@Two.test'`);
  const third = await tenant.trigger();
  await tenant.settled(third);
  await counted(tenant, { messages: 9, sent: 7, skipped: 2 });
  const from = new Date(Date.now() - 60_000).toISOString();
  for (const [query, expected] of [
    ['outcome=sent', [third, second, first]],
    ['outcome=skipped', [third, first]],
    ['reason=locked', [third, first]],
    ['outcome=skipped&reason=locked&channel=mail&event=shop/web/order-paid', [third, first]],
    ['channel=mail', [third, second, first]],
    ['domain=TWO.test', [second, first]],
    ['outcome=sent&domain=one.test&status=expanded', [third, second, first]],
    [`outcome=sent&since=${from}`, [third, second, first]],
    [`outcome=sent&until=${from}`, []],
    ['outcome=sent&status=failed', []],
    ['outcome=failed', []],
    ['reason=opted_out', []],
    ['channel=depot/mail', []],
    ['channel=push', []],
    ['domain=three.test', []],
    ['outcome=sent&event=shop/web/none', []],
  ] as const)
    expect([query, await occurrences(tenant, query, 1)]).toEqual([query, expected]);
  expect(await occurrences(await tenantOf(), 'outcome=sent')).toEqual([]);
});

/** Occurrences with messages that were sent, before one whose user did not want it. $1: ids, $2: messages of each, $3: organization. */
const WITH_MESSAGES = `
  with o as (
    insert into occurrences (id, organization_id, event_id, context, options, status, created_at)
    select i.id, e.organization_id, e.id, '{}', '{}', 'expanded', to_timestamp(figure_time(i.id))
    from unnest($1::uuid[]) i(id), events e join organizations g on g.id = e.organization_id where g.slug = $3 returning *
  )
  insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, gate)
  select o.id, o.organization_id, n.id, c.id, i, case i when $2 then 'skipped' else 'sent' end::delivery_status, case i when $2 then 'opted_out' end::gate
  from o join notifications n on n.event_id = o.event_id join channels c on c.organization_id = o.organization_id, generate_series(1, $2::int) i`;

it('finds occurrences by their messages however far apart they are, and however many messages each has', async () => {
  const tenant = await tenantOf();
  const HOUR_MS = 3_600_000;
  const store = (ids: string[], messages: number) => app.pool.query(WITH_MESSAGES, [ids, messages, tenant.org]);
  // Two of each five hours have some, and in one of these two hours others have none.
  const at = (hour: number) => uuidV7(Date.now() - 60_000 - hour * HOUR_MS);
  const ids = Array.from({ length: 30 }, (_, i) => at(2 + Math.floor(i / 2) * 5 + (i % 2)));
  await store(ids, 3);
  const others = Array.from({ length: 45 }, (_, i) => at(2 + Math.floor(i / 3) * 5));
  await store(others, 1);
  await app.pool.query(`update deliveries set status = 'sent', gate = null where occurrence_id = any($1)`, [others]);
  // More than are looked through.
  const large = at(0);
  await store([large], 10_001);
  await counted(tenant, { opted_out: 31 });
  for (const limit of [1, 7, 100])
    expect(await occurrences(tenant, 'outcome=skipped&reason=opted_out', limit)).toEqual([large, ...ids]);
});

it.each(['outcome=lost', 'reason=none', 'channel=%00', 'domain=a&domain=b'])(
  'refuses occurrences with ?%s, and names the field',
  async (query) => {
    const { org, key } = await tenantOf();
    const { status, body } = await app.as(key).get(`/api/o/${org}/occurrences/?${query}`);
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, [query.split('=')[0]]]);
  },
);

it.each([
  ['by=week', 'by'],
  ['since=yesterday', 'since'],
  ['until=2026-02-30T00:00:00Z', 'until'],
  ['since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'since'],
  ['since=2020-01-01T00:00:00Z&until=2026-01-01T00:00:00Z', 'since'],
  ['by=hour&since=2026-01-01T00:00:00Z&until=2026-03-01T00:00:00Z', 'since'],
  ['event=order-paid', 'event'],
  ['application=web', 'application'],
  ['by=domain&event=shop/web/order-paid', 'event'],
  ['outcome=lost', 'outcome'],
])('refuses %s and names the field', async (query, field) => {
  const { status, body } = await get(await tenantOf(), `?${query}`);
  expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, [field]]);
});
