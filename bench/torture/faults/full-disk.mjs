import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { now } from '../../measure/clock.mjs';

const AGAIN_MS = 100;
/** PostgreSQL keeps up to 1 GB of its log, in files of 16 MB, and writes into old ones without taking space. */
const MOST_LOG_FILES = 80;
const NEXT_LOG_FILE = `select pg_switch_wal() from (select pg_logical_emit_message(false, 'torture', '')) written`;

/**
 * Fills the disk for a while. Tables cannot grow and new sessions cannot write their files. If PostgreSQL has used up its log too, it ends
 * with a PANIC, and cannot recover before there is space again.
 * @param {object} parts
 * @param {import('../volume.mjs').Volume} parts.volume
 * @param {import('../observer.mjs').Observer} parts.observer
 * @param {{ url: string }} parts.postgres
 */
export async function fillDisk({ volume, observer, postgres }, forMs, isLogUsedUp) {
  const client = new Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect().catch(() => undefined);
  try {
    volume.fill();
    if (isLogUsedUp) await useUpLog(client);
    // PostgreSQL removes files of its own, and may use their space.
    for (const end = now() + forMs; now() < end; await sleep(AGAIN_MS)) volume.fill();
  } finally {
    volume.free();
    await client.end().catch(() => undefined);
  }
  await observer.reconnect();
}

async function useUpLog(client) {
  try {
    for (let files = 0; files < MOST_LOG_FILES; files++) await client.query(NEXT_LOG_FILE);
  } catch {
    // It is used up.
  }
}
