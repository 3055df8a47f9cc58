import { beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DISPATCHERS } from '../../src/dispatcher/dispatcher.module.js';
import { CountFigures } from '../../src/engine/figure/count-figures.js';
import { COUNT_CHANGES } from '../../src/engine/figure/count-figures.sql.js';
import { Database } from '../../src/platform/database/database.js';
import { uuidV7 } from '../../src/platform/field/uuid-v7.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';

let app: TestApp;
useAcme((acme) => ({ app } = acme));

const HOUR_MS = 3_600_000;
const NOW = Date.now();

interface State {
  status: 'pending' | 'sent' | 'skipped' | 'dead';
  gate?: string;
  reason?: string;
  report?: string;
  outcome: string;
}

const STATES: State[] = [
  { status: 'pending', outcome: 'waiting/' },
  { status: 'sent', outcome: 'sent/' },
  { status: 'sent', report: 'delayed', outcome: 'sent/' },
  { status: 'sent', report: 'delivered', outcome: 'sent/delivered' },
  { status: 'sent', report: 'bounced', outcome: 'sent/bounced' },
  { status: 'dead', reason: 'rejected by the provider: no', outcome: 'failed/rejected' },
  { status: 'dead', reason: 'given up after 5 attempts: no', outcome: 'failed/given_up' },
  { status: 'dead', reason: 'the template has a mistake', outcome: 'failed/other' },
  { status: 'skipped', gate: 'opted_out', outcome: 'skipped/opted_out' },
  { status: 'skipped', gate: 'capped', outcome: 'skipped/capped' },
];

interface Made {
  id: string;
  place: string;
  domain: string;
  isMail: boolean;
  state: State;
}

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

let ids: { org: number; event: number; notifications: number[]; mail: number; hook: number };
let client: Client;
const passes = () => new CountFigures(app.app.get(Database), app.app.get(DISPATCHERS));

beforeAll(async () => {
  // Half an hour away from UTC.
  await app.pool.query(`update organizations set time_zone = 'Asia/Kolkata' where slug = 'acme'`);
  await app.pool.query(`insert into notifications (organization_id, event_id, name)
    select e.organization_id, e.id, 'Tell' from events e join organizations o on o.id = e.organization_id where o.slug = 'acme' and e.slug = 'order-paid'`);
  const { rows } = await app.pool.query<typeof ids>(`
    select o.id org, e.id event, array(select n.id from notifications n where n.event_id = e.id) notifications,
           (select id from channels where organization_id = o.id and slug = 'mail') mail,
           (select id from channels where organization_id = o.id and slug = 'hook') hook
    from organizations o join events e on e.organization_id = o.id where o.slug = 'acme' and e.slug = 'order-paid'`);
  ids = rows[0]!;
});

const counts = (places: string[]) => {
  const sums = new Map<string, number>();
  for (const place of places) sums.set(place, (sums.get(place) ?? 0) + 1);
  return Object.fromEntries(sums);
};

const stored = async (sql: string) =>
  Object.fromEntries(
    (await app.pool.query<{ place: string; count: number }>(sql)).rows.map(({ place, count }) => [place, count]),
  ) as Record<string, number>;

const figures = () =>
  stored(`select concat_ws(' ', floor(extract(epoch from hour)), notification_id, channel_id, outcome || '/' || reason) place, count
          from figures where outcome <> 'within'`);

const domainFigures = () =>
  stored(
    `select domain || ' ' || outcome || '/' || reason place, sum(count)::int count from domain_figures group by 1`,
  );

/** What days or months have that their hours do not, and the other way round. */
async function differences(): Promise<unknown[]> {
  const found = async (table: string, unit: string, hours: string, names: string) => {
    const columns = `organization_id, ${unit}, ${names}, channel_id, outcome, reason`;
    const sums = `select ${columns}, sum(count)::int count from (select *, date_trunc('${unit}', hour, 'Asia/Kolkata') "${unit}" from ${hours}) h
                  group by ${columns} having sum(count) <> 0`;
    const rows = `select ${columns}, count from ${table}`;
    return (await app.pool.query(`(${rows} except (${sums})) union all ((${sums}) except ${rows})`)).rows;
  };
  const names = 'notification_id, event_id';
  const ofDomains = 'domain, application_id';
  return [
    ...(await found('daily_figures', 'day', 'figures', names)),
    ...(await found('monthly_figures', 'month', 'figures', names)),
    ...(await found('daily_domain_figures', 'day', 'domain_figures', ofDomains)),
    ...(await found('monthly_domain_figures', 'month', 'domain_figures', ofDomains)),
  ];
}

/** Begins to count, and is killed before it has committed. */
async function killedPass(): Promise<void> {
  client = new Client({ connectionString: app.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query(COUNT_CHANGES, [1000, ['email']]);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() pid');
  await app.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await client.end().catch(() => undefined);
}

it('counts each delivery once, whatever becomes of it, and whoever is killed', async () => {
  const random = numbers(7);
  const made: Made[] = [];
  let next = 0;
  const insert = async () => {
    const at = NOW - random(6) * 1_800_000;
    const occurrence = uuidV7(at);
    // Hours begin 30 minutes after those of UTC.
    const hour = Math.floor((at - 1_800_000) / HOUR_MS) * HOUR_MS + 1_800_000;
    await app.pool.query(
      `insert into occurrences (id, organization_id, event_id, context, options, status) values ($1, $2, $3, '{}', '{}', 'expanded')`,
      [occurrence, ids.org, ids.event],
    );
    const rows = Array.from({ length: 1 + random(20) }, () => {
      const isMail = random(3) > 0;
      const channel = isMail ? ids.mail : ids.hook;
      const state = STATES[[0, 0, 0, 8, 7][random(5)]!]!;
      return {
        notification: ids.notifications[0]!,
        channel,
        isMail,
        state,
        user: ++next,
        domain: `d${random(5)}.test`,
      };
    });
    const { rows: inserted } = await app.pool.query<{ id: string }>(
      `insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, status, gate, reason)
       select $1, $2, n, c, u, 1, s::delivery_status, g::gate, r from unnest($3::int[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[]) t(n, c, u, s, g, r)
       returning id`,
      [
        ...[
          occurrence,
          ids.org,
          rows.map((row) => row.notification),
          rows.map((row) => row.channel),
          rows.map((row) => row.user),
        ],
        ...[
          rows.map(({ state }) => state.status),
          rows.map(({ state }) => state.gate),
          rows.map(({ state }) => state.reason),
        ],
      ],
    );
    for (const [i, { id }] of inserted.entries()) {
      const { notification, channel, isMail, state, domain } = rows[i]!;
      const place = `${hour / 1000} ${notification} ${channel}`;
      // What is given up at once has no message, and so no domain.
      made.push({ id, place, isMail, state, domain: state.status === 'dead' ? '' : domain });
    }
  };
  const change = async () => {
    const some = made.filter(({ state }) => state.status !== 'skipped' && random(3) === 0);
    for (const delivery of some) {
      const before = delivery.state.status;
      const possible = STATES.filter(({ status }) =>
        before === 'sent'
          ? status === 'sent'
          : before === 'dead'
            ? status === 'pending'
            : delivery.domain !== '' || status !== 'sent',
      );
      delivery.state = possible[random(possible.length)]!;
    }
    await app.pool.query(
      `with input as (
         select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) i(id, status, gate, reason, report, recipient)
       ), texts as (
         insert into messages (delivery_id, recipient, subject, text, html) select id, recipient, '', '', '' from input
         where status in ('sent', 'dead') and recipient <> '' on conflict do nothing
       )
       update deliveries d set status = i.status::delivery_status, gate = i.gate::gate, reason = i.reason, report = i.report::report_state
       from input i where d.id = i.id`,
      [
        some.map(({ id }) => id),
        ...(['status', 'gate', 'reason', 'report'] as const).map((field) =>
          some.map(({ state }) => state[field] ?? null),
        ),
        some.map(({ id, domain }) => domain && `User.${id}@${domain.toUpperCase()}`),
      ],
    );
  };
  const gone: Made[] = [];
  const purge = async () => {
    const some = made.filter(({ state }) => state.status !== 'pending' && random(10) === 0);
    await app.pool.query('delete from deliveries where id = any($1)', [some.map(({ id }) => id)]);
    gone.push(...some);
    for (const each of some) made.splice(made.indexOf(each), 1);
  };
  const steps = [
    insert,
    insert,
    change,
    change,
    change,
    purge,
    killedPass,
    () => passes().run(7),
    () => Promise.all([passes().run(3), passes().run(50)]),
  ];
  for (let i = 0; i < 80; i++) await steps[random(steps.length)]!();
  while ((await passes().run(1000)) !== 0);
  const all = [...made, ...gone];
  expect(await figures()).toEqual(counts(all.map(({ place, state }) => `${place} ${state.outcome}`)));
  const mails = all.filter(
    ({ isMail, domain, state: { status } }) => isMail && domain !== '' && (status === 'sent' || status === 'dead'),
  );
  expect(await domainFigures()).toEqual(counts(mails.map(({ domain, state }) => `${domain} ${state.outcome}`)));
  expect(await differences()).toEqual([]);
  for (const table of ['daily_figures', 'monthly_figures', 'daily_domain_figures', 'monthly_domain_figures'])
    expect((await app.pool.query(`select from ${table}`)).rowCount).toBeGreaterThan(0);
  expect((await app.pool.query('select from figure_changes')).rowCount).toBe(0);
  // Each message was sent once, however often it was reported later.
  const within = await stored(`select 'all' place, sum(count)::int count from figures where outcome = 'within'`);
  expect(within).toEqual({ all: all.filter(({ state }) => state.status === 'sent').length });
});

it('counts the domains after the first 200 of an hour together', async () => {
  await app.pool.query('delete from domain_figures');
  await app.pool.query('delete from daily_domain_figures');
  await app.pool.query('delete from monthly_domain_figures');
  const { rows } = await app.pool.query<{ id: string }>(
    `with o as (insert into occurrences (id, organization_id, event_id, context, options) values ($1, $2, $3, '{}', '{}') returning id)
     insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, status)
     select o.id, $2, $4, $5, n, 1, 'pending' from o, generate_series(1, 450) n returning id`,
    [uuidV7(), ids.org, ids.event, ids.notifications[0], ids.mail],
  );
  const send = (some: { id: string }[], domain: string) =>
    app.pool.query(
      `with texts as (insert into messages (delivery_id, recipient, subject, text, html) select id, replace($2, '?', id::text), '', '', '' from unnest($1::bigint[]) id)
       update deliveries set status = 'sent' where id = any($1)`,
      [some.map(({ id }) => id), domain],
    );
  await send(rows.slice(0, 150), 'ann@d?.test');
  await send(rows.slice(150, 300), 'ann@large.test');
  while ((await passes().run(1000)) !== 0);
  await send(rows.slice(300, 440), 'ann@d?.test');
  await send(rows.slice(440), 'ann@large.test');
  while ((await passes().run(1000)) !== 0);
  const { 'large.test sent/': large, '* sent/': rest, ...others } = await domainFigures();
  expect([large, rest, Object.keys(others).length]).toEqual([160, 450 - 160 - 199, 199]);
  expect(await differences()).toEqual([]);
});
