import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { requireUsable } from '../check/required.js';
import { createSession } from '../connection/open-session.js';
import { createHistory, readState, recordInPlace } from './history.js';
import { readMigrations } from './migration-file.js';
import type { Migration } from './migration-file.js';
import { takeMigrationLock } from './migration-lock.js';
import { runSteps, runTransaction } from './run-migration.js';
import type { MigrationRun } from './run-migration.js';
import { BlockerReport } from './blocker-report.js';
import type { Print } from './blocker-report.js';

/** Other values are for tests. */
interface Options {
  folder?: string;
  /** How long a statement may wait for a lock. Everything that needs the table waits behind it meanwhile. */
  lockTimeoutMs?: number;
  /** How often a migration that did not get its locks is tried: more than three minutes in all. */
  tries?: number;
}

const MAX_PAUSE_MS = 10_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/**
 * Migrates the database to the newest schema. Returns the names of the applied migrations. Throws if the database is of no use to
 * Carillon, or belongs to a newer release that this one cannot run with. Can be killed at any moment and run again. `print` gets the
 * progress: who holds up which statement.
 */
export async function migrate(connectionString: string, print: Print = printLine, options: Options = {}) {
  const { folder, lockTimeoutMs = 2000, tries = 20 } = options;
  const client = await createSession(connectionString, { kind: 'migration', name: 'carillon migrate' }).open();
  const watch = new BlockerReport(connectionString, await pidOf(client), print, lockTimeoutMs / 2);
  try {
    await requireUsable(client, connectionString);
    const migrations = await readMigrations(folder);
    return await migrateAll({ client, watch, print, lockTimeoutMs }, migrations, tries);
  } finally {
    await watch.end();
    await client.end();
  }
}

/** The names of the migrations that are not applied yet. */
export async function pendingMigrations(pool: Pick<Pool, 'query'>): Promise<string[]> {
  return (await readState(pool, await readMigrations())).pending.map(({ name }) => name);
}

function printLine(message: string): void {
  process.stderr.write(`carillon: ${message}\n`);
}

async function pidOf(client: Client): Promise<number> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() pid')).rows[0]!.pid;
}

async function migrateAll(run: MigrationRun, migrations: Migration[], tries: number): Promise<string[]> {
  const { client, print } = run;
  await takeMigrationLock(client, print);
  await createHistory(client);
  const applied: string[] = [];
  for (let failures = 0; ;) {
    // Read again after each migration: while we paused, another process may have had the lock.
    const { pending, begun, newer, isBaselineInPlace } = await readState(client, migrations);
    const [next] = pending;
    if (!next) {
      if (newer.length > 0)
        print(`the database has migrations of a newer release, which this one runs on: ${newer.join(', ')}`);
      return applied;
    }
    if (isBaselineInPlace) {
      await recordInPlace(client, next);
      print(`the schema of ${next.name} is in place`);
      continue;
    }
    try {
      if (!begun.has(next.name)) await runTransaction(run, next);
      await runSteps(run, next);
      applied.push(next.name);
      failures = 0;
    } catch (error) {
      if (!isWorthATry(error) || ++failures >= tries) throw error;
      await pauseAfter(run, `${(error as Error).message}; try ${failures + 1} of ${tries}`, failures);
    }
  }
}

function isWorthATry(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED;
}

/** The pause lets everything through that queued behind our lock request. */
async function pauseAfter({ print, lockTimeoutMs }: MigrationRun, what: string, failures: number): Promise<void> {
  const ms = Math.min((lockTimeoutMs / 2) * 2 ** (failures - 1), MAX_PAUSE_MS);
  print(`${what} in ${ms / 1000} s`);
  await pause(ms);
}
