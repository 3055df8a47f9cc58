import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations as migrateQueue } from 'graphile-worker';
import { Client } from 'pg';
import type { Pool } from 'pg';
import { root } from '../config/root.js';

export const MIGRATIONS = join(root, 'prisma', 'migrations');

// Any number of processes may start at once: one migrates, the others wait here and find nothing left to do.
const MIGRATION_LOCK = 7_261_003;

// The table that `prisma migrate deploy` keeps, so that it agrees where it can run.
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

// Workers look every two seconds for jobs whose worker died, and for jobs that nobody may try again. With a million triggers that wait
// for their `send_at` that was a fifth of a core for each worker (390 ms a look; now 0.5). Not in a migration: the table is
// graphile-worker's own, and not there when those run.
const QUEUE_INDEXES = {
  carillon_locked_jobs: '(locked_at) where locked_at is not null',
  carillon_exhausted_jobs: '(id) where attempts >= max_attempts',
};

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

export async function readMigrations(folder = MIGRATIONS): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Brings the database to the newest schema; answers the names of what it applied. */
export async function migrate(connectionString: string, folder = MIGRATIONS): Promise<string[]> {
  const client = new Client({ connectionString, application_name: 'carillon migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(HISTORY);
    const applied: string[] = [];
    for (const migration of await pending(client, await readMigrations(folder))) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    await migrateQueue({ connectionString });
    await indexQueue(client);
    return applied;
  } finally {
    await client.end();
  }
}

/** Asked first: to find that an index exists, PostgreSQL would wait for all who write. */
async function indexQueue(client: Client): Promise<void> {
  for (const [name, definition] of Object.entries(QUEUE_INDEXES)) {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass($1) is not null "exists"`, [
      `graphile_worker.${name}`,
    ]);
    if (!rows[0]!.exists) await client.query(`create index ${name} on graphile_worker._private_jobs ${definition}`);
  }
}

/** The names of migrations that the database lacks. */
export async function pendingMigrations(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ missing: boolean }>(`select to_regclass('_prisma_migrations') is null missing`);
  const all = await readMigrations();
  return (rows[0]?.missing ? all : await pending(pool, all)).map(({ name }) => name);
}

async function pending(db: Pick<Pool, 'query'>, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'select migration_name name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  const done = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (done.has(name) && done.get(name) !== checksum) {
      throw new Error(`migration ${name} was changed after it had been applied to this database`);
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
