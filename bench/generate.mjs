// Fills a migrated database with organizations, users, occurrences and deliveries, by SQL alone.
// By hand: node bench/generate.mjs DATABASE_URL [--organizations N] [--users N] [--deliveries N]
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { addUp } from './measure/add-up.mjs';
import { Database } from './world/database.mjs';
import { FULL } from './size.mjs';

const DELIVERIES_PER_STATEMENT = 500_000;

// One project, application, event, rule, channel and list for each organization.
const TREES = `
  insert into organizations (slug, name) select concat('generated-', n), concat('Generated ', n) from generate_series(1, $1::int) n`;
const BELOW = `
  create temporary view trees as select id from organizations where slug like 'generated-%' order by id;
  insert into projects (organization_id, slug, name) select id, 'p', 'P' from trees;
  insert into applications (organization_id, project_id, slug, name)
    select organization_id, p.id, 'a', 'A' from projects p join trees t on t.id = organization_id;
  insert into events (organization_id, application_id, slug, name)
    select organization_id, a.id, 'e', 'E' from applications a join trees t on t.id = organization_id;
  insert into channels (organization_id, slug, name, type) select id, 'c', 'C', 'log' from trees;
  insert into notifications (organization_id, event_id, name)
    select organization_id, e.id, 'N' from events e join trees t on t.id = organization_id;
  insert into distribution_lists (organization_id, project_id, name, name_key)
    select organization_id, p.id, 'All', 'all' from projects p join trees t on t.id = organization_id`;

const PEOPLE = [
  `insert into users (organization_id, email, email_key, first_name)
   select t.id, email, email, 'User' from trees t, generate_series(1, $1::int) n,
     lateral (select concat('user', n, '@generated', t.id, '.test') email) e`,
  `insert into addresses (organization_id, user_id, name, value)
   select organization_id, u.id, 'email', email from users u join trees t on t.id = organization_id`,
  `insert into members (organization_id, list_id, user_id, address_id)
   select a.organization_id, l.id, user_id, a.id from addresses a join distribution_lists l using (organization_id) join trees t on t.id = organization_id`,
];

// Over the last three weeks, one organization after the other at each time, as they would have come.
const OCCURRENCES = `
  insert into occurrences (id, organization_id, event_id, context, options, status, created_at, expanded_at)
  select uuidv7(made_at - now()), e.organization_id, e.id, '{"order": "A-17", "total": 120}', '{}', 'expanded', made_at, made_at
  from generate_series(1, $1::int) n, trees t join events e on e.organization_id = t.id,
    lateral (select now() - interval '3 weeks' * n / ($1::int + 1) made_at) times
  order by n desc, e.id`;

const DELIVERIES = `
  insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, attempts, status)
  select o.id, o.organization_id, n.id, c.id, u.id, 1, 'sent'
  from occurrences o join notifications n using (organization_id) join channels c using (organization_id) join users u using (organization_id)
  join trees t on t.id = organization_id
  where organization_id > $1 and organization_id <= $2`;

/**
 * Each organization has its share of the users, and each of its occurrences reached all of them.
 * @param {Database} database
 * @param {typeof FULL.growth} size
 * @param {(done: number, total: number) => void} progress
 */
export async function generate(database, { organizations, users, deliveries }, progress) {
  const people = Math.max(1, Math.round(users / organizations));
  const times = Math.max(1, Math.round(deliveries / (organizations * people)));
  await database.query('set session_replication_role = replica'); // rows made by us need no foreign key checks
  await database.query(TREES, [organizations]);
  await database.query(BELOW);
  for (const sql of PEOPLE) await database.query(sql, sql.includes('$1') ? [people] : []);
  await database.query(OCCURRENCES, [times]);
  await deliver(database, people * times, organizations * people * times, progress);
  await database.query('set session_replication_role = origin');
  await database.query('vacuum analyze');
}

async function deliver(database, perOrganization, total, progress) {
  const before = await database.counts();
  const ids = (await database.query('select id from trees')).map(({ id }) => id);
  const step = Math.max(1, Math.floor(DELIVERIES_PER_STATEMENT / perOrganization));
  await database.query('analyze');
  for (let start = 0; start < ids.length; start += step) {
    const last = Math.min(start + step, ids.length) - 1;
    await database.query(DELIVERIES, [ids[start] - 1, ids[last]]);
    progress((last + 1) * perOrganization, total);
  }
  const after = await database.counts();
  addUp({ 'deliveries generated': [after.deliveries - before.deliveries, total] });
}

async function main() {
  const number = { type: 'string' };
  const options = { organizations: number, users: number, deliveries: number };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const size = Object.fromEntries(Object.entries(FULL.growth).map(([key, full]) => [key, Number(values[key] ?? full)]));
  const database = await Database.connect(positionals[0]);
  await generate(database, size, (done, total) => console.error(`${done} of ${total} deliveries`));
  await database.close();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
