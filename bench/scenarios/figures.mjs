import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { generateYear } from '../generate/year.mjs';
import { DoesNotAddUp, addUp } from '../measure/add-up.mjs';
import { now } from '../measure/clock.mjs';
import { logPlans, planOf } from '../measure/plans.mjs';
import { row } from '../measure/row.mjs';
import { createKeys } from '../world/keys.mjs';

const COUNT_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Otherwise the worker would delete most of the year. */
const KEEP = { RETENTION_DAYS: '3650', FIGURES_RETENTION_DAYS: '3650' };

const PERIODS = { week: 7, month: 30, year: 365 };
const SPAN = (days, end = 0) =>
  `since=${new Date(Date.now() - (days + end) * DAY_MS).toISOString()}&until=${new Date(Date.now() - end * DAY_MS).toISOString()}`;
const EVENT = 'p1/a1/e1';

/** What the page asks, where its bars and numbers lead, and the counts on the rows of other pages. */
export const QUESTIONS = [
  { what: 'by hour, a day', path: `figures/?by=hour&${SPAN(1)}` },
  ...Object.entries(PERIODS).flatMap(([period, days]) => [
    ...['day', 'event', 'channel', 'domain', 'reason'].map((by) => ({
      what: `by ${by}, a ${period}`,
      path: `figures/?by=${by}&${SPAN(days)}`,
    })),
    { what: `the ${period} before`, path: `figures/?by=outcome&${SPAN(days, days)}` },
    { what: `of one event by day, a ${period}`, path: `figures/?by=day&event=${EVENT}&${SPAN(days)}` },
  ]),
  { what: 'occurrences of a day', path: `occurrences/?limit=50&counts=1&${SPAN(1, 180)}` },
  { what: 'occurrences of one event, a month', path: `occurrences/?limit=50&counts=1&event=${EVENT}&${SPAN(30)}` },
  ...[
    ['messages that were refused', 'outcome=failed&reason=rejected'],
    ['messages that users do not want', 'outcome=skipped&reason=opted_out'],
    ['messages over one channel that failed', 'outcome=failed&channel=p1/sms'],
    ['mails to the largest domain', 'domain=domain1.test'],
    ['mails to a small domain', 'domain=domain2900.test'],
    ['complaints, of which there are none', 'outcome=sent&reason=complained'],
  ].map(([what, query]) => ({
    what: `occurrences with ${what}, a year`,
    path: `occurrences/?limit=50&counts=1&${query}&${SPAN(365)}`,
  })),
  {
    what: 'deliveries of an occurrence that failed',
    path: 'occurrences/{occurrence}/deliveries/?limit=50&status=dead',
  },
  { what: 'rows of Events', path: 'figures/?by=event' },
  { what: 'rows of Channels', path: 'figures/?by=channel' },
  { what: 'rows of Occurrences', path: 'occurrences/?limit=50&counts=1' },
];

export const figures = {
  name: 'figures',
  about:
    'The page Figures of an organization with a year of deliveries: what it asks, the occurrences that its bars and numbers lead to, and the counts on rows of other pages.',
  async run(world) {
    const { users, deliveries } = world.size.figures;
    const database = await world.database();
    world.progress.step('generating a year');
    await generateYear(database, world.size.figures, (done) => world.progress.count(done, deliveries, 'deliveries'));
    await count(world, database, deliveries);
    return {
      ...(await measure(world, database)),
      notes: [sizeOf(users, deliveries, await sizes(database)), METHOD],
    };
  },
};

/** Asks everything, at first with an empty cache, and then for the plans. */
export async function measure(world, database) {
  const ask = await askerOf(database);
  const api = await world.api(database);
  await ask(api, 'figures/');
  const rows = [];
  for (const { what, path } of QUESTIONS) {
    world.progress.step(what);
    await database.query('select pg_buffercache_evict_all()');
    rows.push(row(`${what}: first`, 'ms', 'ms', { service: [await ask(api, path)] }));
    const samples = [];
    for (let round = 0; round < world.size.rounds; round++) samples.push(await ask(api, path));
    rows.push(row(what, 'ms', 'ms', { service: samples }));
  }
  await logPlans(database);
  const explained = await world.api(database);
  const plans = [];
  for (const { what, path } of QUESTIONS)
    plans.push({ what, plan: await planOf(world.postgresLog, () => ask(explained, path)) });
  return { rows, plans };
}

/** The worker counts what triggers have noted, and makes the days and months. */
async function count(world, database, deliveries) {
  const worker = await world.all(database, { settings: { ROLE: 'worker', ...KEEP } });
  for (const deadline = Date.now() + COUNT_MS; ; await sleep(1000)) {
    const [{ left }] = await database.query('select (select max(id) - min(id) + 1 from figure_changes)::int "left"');
    if (left === null) break;
    world.progress.step(`the worker counts ${left} changes`);
    if (Date.now() > deadline) throw new DoesNotAddUp(`${left} changes are not counted`);
  }
  await world.stop(worker);
  const of = (table) => `(select sum(count)::int from ${table} where outcome <> 'within')`;
  const ofDomains = (table) => `(select sum(count)::int from ${table})`;
  const [{ hours, days, months, domains, domainDays, domainMonths, mails }] = await database.query(
    `select ${of('figures')} hours, ${of('daily_figures')} days, ${of('monthly_figures')} months,
            ${ofDomains('domain_figures')} domains, ${ofDomains('daily_domain_figures')} "domainDays", ${ofDomains('monthly_domain_figures')} "domainMonths",
            (select count(*)::int from messages) mails`,
  );
  addUp({
    'deliveries in hours': [hours, deliveries],
    'deliveries in days': [days, deliveries],
    'deliveries in months': [months, deliveries],
    'mails in hours of domains': [domains, mails],
    'mails in days of domains': [domainDays, mails],
    'mails in months of domains': [domainMonths, mails],
  });
  await database.query('vacuum analyze');
  await database.query('create extension pg_buffercache');
}

async function askerOf(database) {
  const [{ id, occurrence }] = await database.query(
    `select id, (select occurrence_id from deliveries d where d.organization_id = o.id and status = 'dead' order by id desc limit 1) occurrence
     from organizations o where slug = 'year'`,
  );
  const [headers] = await createKeys(database, [id]);
  return async ({ url }, path) => {
    const start = now();
    const answer = await request(`${url}/api/o/year/${path.replace('{occurrence}', occurrence)}`, { headers });
    const text = await answer.body.text();
    const ms = now() - start;
    if (answer.statusCode !== 200) throw new DoesNotAddUp(`${path}: ${answer.statusCode} ${text}`);
    return { ms };
  };
}

const TABLES = [
  ...['deliveries', 'occurrences', 'figures', 'daily_figures', 'monthly_figures'],
  ...['domain_figures', 'daily_domain_figures', 'monthly_domain_figures'],
];

const sizes = async (database) =>
  (
    await database.query(`select ${TABLES.map((table) => `(select count(*)::int from ${table}) ${table}`).join(', ')}`)
  )[0];

const sizeOf = (users, deliveries, counts) =>
  `${deliveries.toLocaleString('en')} deliveries to ${users.toLocaleString('en')} users of 2,999 mail domains, of 40 events over 12 channels of 4 projects, within 365 days. ` +
  `Rows: ${Object.entries(counts)
    .map(([table, rows]) => `${table} ${rows.toLocaleString('en')}`)
    .join(', ')}.`;

const METHOD =
  'One request at a time. The first of each row finds nothing in the cache of PostgreSQL, though maybe in that of the system. One delivery in 20, the newest, was noted by the triggers and counted by the ' +
  'worker, as were all days and months; the hours of the others were written with one statement.';
