import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Pool } from 'pg';
import { root } from '../config/root.js';
import { requireUsable } from './check/required.js';

const MIGRATIONS = join(root, 'prisma', 'migrations');

// Several processes may start at once: one migrates, the others wait for this lock and then have nothing to do.
const MIGRATION_LOCK = 7_261_003;

// The same table as `prisma migrate deploy` uses, so that both agree on the applied migrations.
const HISTORY = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key not null,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`;

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(MIGRATIONS, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

const HOLDER = `
  select pid, coalesce(nullif(application_name, ''), 'without a name') "name" from pg_stat_activity join pg_locks using (pid)
  where locktype = 'advisory' and granted and classid = 0 and objid = $1
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Migrates the database to the newest schema. Returns the names of the applied migrations. Throws if the database is of no use to
 * Carillon. `onWait` is told why the migration does not begin at once.
 */
export async function migrate(connectionString: string, onWait = printWait): Promise<string[]> {
  const client = new Client({ connectionString, application_name: 'carillon migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await requireUsable(client, connectionString);
    await takeLock(client, onWait);
    await client.query(HISTORY);
    const applied: string[] = [];
    for (const migration of await pending(client, await readMigrations())) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

function printWait(reason: string): void {
  process.stderr.write(`carillon: ${reason}\n`);
}

async function takeLock(client: Client, onWait: (reason: string) => void): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) locked', [MIGRATION_LOCK]);
  if (rows[0]!.locked) return;
  const holder = (await client.query<{ pid: number; name: string }>(HOLDER, [MIGRATION_LOCK])).rows[0];
  const who = holder ? `: session ${holder.pid} (${holder.name}) of PostgreSQL holds the lock` : '';
  onWait(`waiting for another process that migrates the database${who}`);
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
}

/** The names of the migrations that are not applied yet. */
export async function pendingMigrations(pool: Pick<Pool, 'query'>): Promise<string[]> {
  const { rows } = await pool.query<{ missing: boolean }>(`select to_regclass('_prisma_migrations') is null missing`);
  const all = await readMigrations();
  return (rows[0]?.missing ? all : await pending(pool, all)).map(({ name }) => name);
}

async function pending(db: Pick<Pool, 'query'>, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'select migration_name name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  const done = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const known = new Set(migrations.map(({ name }) => name));
  const newer = rows.map(({ name }) => name).filter((name) => !known.has(name));
  if (newer.length > 0) {
    throw new Error(
      `the database belongs to a newer release of Carillon: it has the migration ${newer.sort().at(-1)}. Start that release, or restore a backup from before its upgrade`,
    );
  }
  for (const { name, checksum } of migrations) {
    if (done.has(name) && done.get(name) !== checksum) {
      throw new Error(`migration ${name} was changed after it had been applied to this database: restore its file`);
    }
  }
  return migrations.filter(({ name }) => !done.has(name));
}

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values (gen_random_uuid(), $1, $2, clock_timestamp(), 1)`,
      [checksum, name],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
