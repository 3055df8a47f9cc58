// Fills a migrated database with organizations, users, occurrences and deliveries, by SQL alone.
// Usage: node bench/generate.mjs DATABASE_URL [--organizations N] [--users N] [--deliveries N]
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { BATCHES, DELIVERIES, IDEMPOTENCY_KEYS, OCCURRENCES } from './generate/past.sql.mjs';
import { BELOW, ORGANIZATIONS, PEOPLE, TREES } from './generate/tree.sql.mjs';
import { addUp } from './measure/add-up.mjs';
import { Database } from './world/database.mjs';
import { FULL } from './size.mjs';

const DELIVERIES_PER_STATEMENT = 500_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Each organization gets an equal share of the users. Each of its occurrences reached all of its users.
 * @param {Database} database
 * @param {typeof FULL.growth.large} size
 * @param {(done: number, total: number) => void} progress
 */
export async function generate(database, { organizations, users, deliveries }, progress) {
  const people = Math.max(1, Math.round(users / organizations));
  const times = Math.max(1, Math.round(deliveries / (organizations * people)));
  await plant(database, organizations, people);
  await database.query(OCCURRENCES, [times]);
  await database.query('analyze');
  await deliver(database, people, organizations * people * times, progress);
  await finish(database);
}

/** Only organizations and their users, without a past. */
export async function generateTenants(database, organizations, people) {
  await plant(database, organizations, people);
  await finish(database);
}

async function plant(database, organizations, people) {
  // The generated rows are consistent, so foreign keys need no checks.
  await database.query(`set session_replication_role = replica; set work_mem = '256MB'`);
  await database.query(ORGANIZATIONS, [organizations]);
  await database.query(TREES);
  await database.query(BELOW);
  for (const sql of PEOPLE) await database.query(sql, sql.includes('$1') ? [people] : []);
}

async function finish(database) {
  await database.query('drop table trees; reset session_replication_role; reset work_mem');
  await database.query('vacuum analyze');
}

/** Inserts the deliveries in order of time, and so of ids, as a real service would. */
async function deliver(database, people, total, progress) {
  const before = await database.counts();
  const [{ today }] = await database.query(
    'select max(created_at) today from occurrences join trees using (organization_id)',
  );
  const perBatch = Math.max(1, Math.floor(DELIVERIES_PER_STATEMENT / people));
  let after = FIRST_ID;
  let done = 0;
  for (const { id } of await database.query(BATCHES, [perBatch])) {
    await database.query(DELIVERIES, [after, id, today]);
    after = id;
    progress((done = Math.min(total, done + perBatch * people)), total);
  }
  await database.query(IDEMPOTENCY_KEYS, [today]);
  const now = await database.counts();
  addUp({ 'deliveries generated': [now.deliveries - before.deliveries, total] });
}

async function main() {
  const number = { type: 'string' };
  const options = { organizations: number, users: number, deliveries: number };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const size = Object.fromEntries(
    Object.entries(FULL.growth.large).map(([key, full]) => [key, Number(values[key] ?? full)]),
  );
  const database = await Database.connect(positionals[0]);
  await generate(database, size, (done, total) => console.error(`${done} of ${total} deliveries`));
  await database.close();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
