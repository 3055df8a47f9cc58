import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Print } from './blocker-report.js';

// Several processes may start at once: one migrates, the others wait for this lock and then have nothing to do.
const MIGRATION_LOCK = 7_261_003;
const POLL_MS = 250;

const HOLDER = `
  select pid, coalesce(nullif(application_name, ''), 'without a name') "name" from pg_stat_activity join pg_locks using (pid)
  where locktype = 'advisory' and granted and classid = 0 and objid = $1
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Asks again and again instead of waiting in one statement: a statement holds a snapshot, and the process that has the lock cannot finish
 * an index concurrently before that snapshot ends.
 */
export async function takeMigrationLock(client: Client, print: Print): Promise<void> {
  for (let isFirst = true; !(await tryLock(client)); isFirst = false) {
    if (isFirst) print(`waiting for another process that migrates the database${await holder(client)}`);
    await pause(POLL_MS);
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) locked', [MIGRATION_LOCK]);
  return rows[0]!.locked;
}

async function holder(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string }>(HOLDER, [MIGRATION_LOCK]);
  return rows[0] ? `: session ${rows[0].pid} (${rows[0].name}) of PostgreSQL holds the lock` : '';
}
