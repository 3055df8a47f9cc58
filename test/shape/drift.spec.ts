import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { schemaSql } from '../../scripts/schema-sql.mjs';
import { root } from '../../src/platform/config/root.js';
import { migrate } from '../../src/platform/database/migration/migrate.js';
import { createDatabase } from '../support/app/database.js';

const schema = readFileSync(join(root, 'prisma', 'schema.prisma'), 'utf8');

// Everything the schema can say, as text. An object whose comment starts with "not in schema.prisma" is the migrations' own.
const CATALOG = `
  select 'column ' || table_name || '.' || column_name || ' ' || udt_name || ' ' || coalesce(datetime_precision::text, '-') || ' '
         || is_nullable || ' ' || coalesce(column_default, '-') as line
  from information_schema.columns where table_schema = 'public' and table_name !~ '^_(prisma|carillon)_migrations$'
  union all
  select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid::regclass::text !~ '^_(prisma|carillon)_migrations$'
    and coalesce(obj_description(oid, 'pg_constraint'), '') not like 'not in schema.prisma%'
  union all
  select 'index ' || pg_get_indexdef(indexrelid)
  from pg_index join pg_class c on c.oid = indrelid
  where c.relnamespace = 'public'::regnamespace and c.relname !~ '^_(prisma|carillon)_migrations$'
    and coalesce(obj_description(indexrelid, 'pg_class'), '') not like 'not in schema.prisma%'
  order by 1`;

async function catalogOf(fill: (client: Client, url: string) => Promise<unknown>): Promise<string[]> {
  const database = await createDatabase('template0');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await fill(client, database.url);
    const { rows } = await client.query<{ line: string }>(CATALOG);
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
    await database.drop();
  }
}

/** What a database made from the schema has, and what one made by the migrations has. */
async function bothWays(schemaText: string): Promise<{ wanted: string[]; migrated: string[] }> {
  const script = await schemaSql(process.env.TEST_POSTGRES_URL!, null, schemaText);
  return {
    wanted: await catalogOf((client) => client.query(script)),
    migrated: await catalogOf((_, url) => migrate(url)),
  };
}

it('finds the migrations and schema.prisma agreeing', async () => {
  const { wanted, migrated } = await bothWays(schema);
  expect(wanted.length).toBeGreaterThan(100);
  expect(migrated).toEqual(wanted);
});

it.each([
  ['a new column', (text: string) => text.replace('model User {', 'model User {\n  nickname String?')],
  [
    'another type',
    (text: string) =>
      text
        .replace(/firstName( +)String/, 'firstName$1Int   ')
        .replace('@default("") @map("first_name")', '@map("first_name")'),
  ],
  ['a missing index', (text: string) => text.replace('@@index([listId, id])', '')],
  ['another rule of deletion', (text: string) => text.replace('onDelete: NoAction', 'onDelete: Restrict')],
])('fails when schema.prisma gets %s that no migration brings', async (_, edit) => {
  const edited = edit(schema);
  expect(edited).not.toBe(schema);
  const { wanted, migrated } = await bothWays(edited);
  expect(migrated).not.toEqual(wanted);
});
