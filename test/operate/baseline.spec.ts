import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { root } from '../../src/platform/config/root.js';
import { migrate, pendingMigrations } from '../../src/platform/database/migration/migrate.js';
import { statementsOf } from '../../src/platform/database/migration/statements.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { schemaText } from '../support/history/schema-text.js';

const BASELINE = '20261123214001_baseline';
const LAST_BEFORE = '20261123214000_the_owner_keeps_the_delivery_index';
const LAST_OF_PRISMA = '20261120030000_recipients_in_a_browser';

const HISTORY = (table: string) => `
  create table if not exists ${table} (
    id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null, logs text,
    rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

let databases: TestDatabase[];
let clients: Client[];
beforeEach(() => {
  [databases, clients] = [[], []];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await Promise.all(databases.map((database) => database.drop()));
});

async function emptyDatabase(): Promise<{ client: Client; url: string }> {
  const database = await createDatabase('template0');
  databases.push(database);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  return { client, url: database.url };
}

/** A database as version 0.1.0 leaves it: its migrations up to `last`, and its two tables of history. */
async function databaseOf010(last = LAST_BEFORE): Promise<{ client: Client; url: string }> {
  const made = await emptyDatabase();
  const { client } = made;
  await client.query(HISTORY('_prisma_migrations'));
  await client.query(`${HISTORY('_carillon_migrations')}; alter table _carillon_migrations add needs varchar(255)`);
  const text = readFileSync(join(root, 'test', 'support', 'history', '0.1.0.sql'), 'utf8');
  for (const [, name, file, sql] of text.matchAll(/^-- section (\w+)\/(\w+\.sql)\n(.*?)(?=^-- section |(?![^]))/gms)) {
    if (name! > last) break;
    if (file === 'concurrently.sql') for (const statement of statementsOf(sql!)) await client.query(statement);
    else await recordAfter(client, name!, sql!);
  }
  return made;
}

async function recordAfter(client: Client, name: string, sql: string): Promise<void> {
  await client.query(sql);
  const table = name <= LAST_OF_PRISMA ? '_prisma_migrations' : '_carillon_migrations';
  await client.query(
    `insert into ${table} (id, checksum, migration_name, finished_at) values (gen_random_uuid(), 'x', $1, now())`,
    [name],
  );
}

const run = (url: string, printed: string[] = []) => migrate(url, (line) => printed.push(line));

it('a database of version 0.1.0 keeps its rows, runs no baseline, and gets the schema of a new database', async () => {
  const upgraded = await databaseOf010();
  await upgraded.client.query(`insert into organizations (slug, name) values ('acme', 'Acme')`);
  const printed: string[] = [];
  expect(await run(upgraded.url, printed)).not.toContain(BASELINE);
  expect(printed).toEqual([`the schema of ${BASELINE} is in place`]);
  expect(await pendingMigrations(upgraded.client)).toEqual([]);
  expect((await upgraded.client.query('select slug from organizations')).rows).toEqual([{ slug: 'acme' }]);
  const made = await emptyDatabase();
  expect((await run(made.url))[0]).toBe(BASELINE);
  const text = await schemaText(made.client);
  expect(text.length).toBeGreaterThan(600);
  expect(await schemaText(upgraded.client)).toEqual(text);
  expect([await run(upgraded.url), await run(made.url)]).toEqual([[], []]);
});

it('the migrations of version 0.1.0 leave no row in a new database that the baseline would have to add', async () => {
  const { client } = await databaseOf010();
  await client.query('analyze');
  const { rows } = await client.query(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 0 order by 1`,
  );
  expect(rows).toEqual([{ relname: '_carillon_migrations' }, { relname: '_prisma_migrations' }]);
});

it.each([
  ['the middle', '20261123030000_limits_count_what_is_sent'],
  ['the last migration that Prisma has recorded', LAST_OF_PRISMA],
  ['the first', '20261115013138_the_contract_on_a_real_database'],
])(
  'a database with the migrations of version 0.1.0 up to %s is refused, and nothing changes in it',
  async (_, last) => {
    const { client, url } = await databaseOf010(last);
    const before = await schemaText(client);
    await expect(run(url)).rejects.toThrow(
      `the database belongs to an older version of Carillon, and lacks its migration ${LAST_BEFORE}. Run \`carillon migrate\` of version 0.1.0 (commit 77cf65f) first`,
    );
    await expect(pendingMigrations(client)).rejects.toThrow('older version of Carillon');
    expect(await schemaText(client)).toEqual(before);
  },
);

it('version 0.1.0 runs on a database that it made, and refuses a new one', async () => {
  const needs = 'select needs from _carillon_migrations where migration_name = $1';
  const upgraded = await databaseOf010();
  await run(upgraded.url);
  expect((await upgraded.client.query(needs, [BASELINE])).rows).toEqual([{ needs: null }]);
  // It would apply its own migrations otherwise.
  const made = await emptyDatabase();
  await run(made.url);
  expect((await made.client.query(needs, [BASELINE])).rows).toEqual([{ needs: BASELINE }]);
});
