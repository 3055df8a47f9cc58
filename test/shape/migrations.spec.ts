import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { root } from '../../src/platform/config/root.js';
import { readMigrations } from '../../src/platform/database/migration/migration-file.js';
import type { Migration } from '../../src/platform/database/migration/migration-file.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { findingsOf } from './migration-findings.js';

const folder = join(root, 'prisma', 'migrations');
const previous = JSON.parse(readFileSync(join(folder, 'previous-release.json'), 'utf8')) as {
  /** Their checksums, by name. */
  migrations: Record<string, string>;
};

const ROWS = `
  with o as (insert into organizations (slug, name) values ('acme', 'Acme') returning id)
  insert into users (organization_id, email, email_key)
  select id, email, email from o, generate_series(1, 1000) n, concat('user', n, '@acme.test') email;
  insert into inbox_messages (organization_id, user_id, subject, text, html) select organization_id, id, 'S', 'T', '' from users`;

let migrations: Migration[];
let database: TestDatabase;
let client: Client;
let tables: string[];
beforeAll(async () => {
  migrations = await readMigrations();
  database = await createDatabase('template0');
  client = new Client({ connectionString: database.url });
  await client.connect();
  for (const { sql, steps } of migrations.filter((migration) => !isNew(migration))) {
    await client.query(sql);
    for (const step of steps) await client.query(step.sql);
  }
  await client.query(ROWS);
  tables = (await client.query<{ name: string }>(`select relname "name" from pg_class where relkind = 'r'`)).rows.map(
    ({ name }) => name,
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** A baseline is not new if the previous release has the migrations that it replaces: databases have its schema already. */
const isNew = ({ name, replaces }: Migration) =>
  !(name in previous.migrations) && !(replaces !== null && replaces in previous.migrations);
const lastOfPrevious = Object.keys(previous.migrations).sort().at(-1)!;

describe('the check refuses a migration that', () => {
  it.each([
    ['changes the type of a column', 'alter table users alter id type bigint', 'rewrites users'],
    ['adds a column with a volatile default', 'alter table users add seen float default random()', 'rewrites users'],
    ['truncates', 'truncate inbox_messages', 'rewrites inbox_messages'],
    [
      'requires a value without a validated check',
      'alter table users add a int default 1; alter table users alter a set not null',
      'reads all of users under AccessExclusiveLock',
    ],
    ['builds an index in the transaction', 'create index on users (first_name)', 'reads all of users under ShareLock'],
    [
      'adds a check that is validated at once',
      'alter table users add check (id > 0)',
      'reads all of users under AccessExclusiveLock',
    ],
    [
      'adds a key that is validated at once',
      'alter table users add boss int default 1 references organizations (id)',
      'reads all of organizations under ShareRowExclusiveLock',
    ],
    ['changes many rows', `update users set first_name = 'A'`, 'changes 1000 rows of users in one transaction'],
    [
      'hides it in a block',
      `do $$ begin execute 'create index on users (first_name)'; end $$`,
      'reads all of users under ShareLock',
    ],
    ['locks a table', 'lock table users', 'lock table users: do not lock tables yourself'],
    ['drops a column', 'alter table users drop first_name', 'drops or renames column users.first_name'],
    [
      'renames a column',
      'alter table users rename first_name to given_name',
      'drops or renames column users.first_name',
    ],
    ['drops a table', 'drop table inbox_messages cascade', 'drops table inbox_messages'],
    ['renames a table', 'alter table inbox_messages rename to posts', 'renames table inbox_messages'],
    [
      'requires an existing column',
      'update inbox_messages set seen_at = now(); alter table inbox_messages alter seen_at set not null',
      'makes inbox_messages.seen_at required',
    ],
    [
      'widens a type without a rewrite',
      'alter table api_keys alter name type varchar',
      'changes the type of api_keys.name',
    ],
    ['drops a default', 'alter table users alter first_name drop default', 'drops the default of users.first_name'],
    [
      'drops a unique index',
      'drop index users_organization_id_email_key_key',
      'drops unique index users_organization_id_email_key_key of users',
    ],
    [
      'renames a value',
      `alter type delivery_status rename value 'dead' to 'gone'`,
      'drops value dead of delivery_status',
    ],
    ['drops a function', 'drop function audit cascade', 'drops function audit()'],
  ])('%s', async (_, sql, finding) => {
    expect(await findingsOf(client, { sql, needs: null })).toContain(finding);
  });

  it('adds a required column that the previous release does not fill', async () => {
    const sql = 'alter table users add a int not null default 1; alter table users alter a drop default';
    expect(await findingsOf(client, { sql, needs: null })).toEqual(['adds users.a, required and without a default']);
  });
});

it.each([
  ['adds a column', 'alter table users add a int'],
  ['adds a required column with a constant default', `alter table users add a text not null default 'x'`],
  [
    'adds a table with indexes and keys',
    'create table a (id serial primary key, user_id int references users (id)); create index on a (user_id)',
  ],
  ['adds a constraint that is validated later', 'alter table users add constraint positive check (id > 0) not valid'],
  ['drops an index', 'drop index inbox_messages_unseen'],
  ['changes few rows', `update organizations set name = 'B'`],
])('the check accepts a migration that %s', async (_, sql) => {
  expect(await findingsOf(client, { sql, needs: null })).toEqual([]);
});

it('a contract may drop, but not rewrite', async () => {
  const needs = lastOfPrevious;
  expect(await findingsOf(client, { sql: 'alter table users drop first_name', needs })).toEqual([]);
  const sql = 'alter table users alter id type bigint';
  expect(await findingsOf(client, { sql, needs })).toContain('rewrites users');
});

// The last test: it keeps what it applies.
it('each new migration comes after the previous release, blocks no writer, and leaves the previous release its schema', async () => {
  const findings: Record<string, string[]> = {};
  for (const migration of migrations.filter(isNew)) {
    const { name, needs, steps } = migration;
    const found = await findingsOf(client, migration, { keep: true, tables });
    for (const { sql } of steps.filter(({ isRepeated }) => !isRepeated)) await client.query(sql);
    if (name < lastOfPrevious) found.push(`sorts before ${lastOfPrevious}: rename it`);
    if (needs !== null && !(needs in previous.migrations))
      found.push(`needs ${needs}, which the previous release does not have`);
    if (found.length > 0) findings[name] = found;
  }
  expect(findings).toEqual({});
});

it('migrations of the previous release are as it has them, or replaced by the baseline', () => {
  const replaced = migrations[0]!.replaces!;
  const ours = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const changed = Object.entries(previous.migrations).filter(
    ([name, checksum]) => name > replaced && ours.get(name) !== checksum,
  );
  expect(changed).toEqual([]);
});

it('the baseline comes first, and there is one', () => {
  expect(migrations.filter(({ replaces }) => replaces !== null)).toEqual([migrations[0]]);
});
