import { allowLongStatements } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';

const LOCK = 7_261_004;
const FIRST_CHUNK = 500;
const CHUNK = 5000;

/**
 * Prepares a transaction that writes many rows. Its statements and locks have no timeout. Only one such transaction runs at a time: two would wait
 * for each other row by row.
 */
export async function beginBulkWrite(tx: Transaction): Promise<void> {
  await allowLongStatements(tx);
  await tx.$executeRawUnsafe('set local lock_timeout = 0');
  await tx.$executeRawUnsafe('select pg_advisory_xact_lock($1)', LOCK);
}

/** Splits users into chunks, each to be written by a few statements. The first is small: see `countUsers`. */
export async function* chunksOf<Entry>(
  tx: Transaction,
  entries: Iterable<Entry> | AsyncIterable<Entry>,
): AsyncGenerator<Entry[]> {
  let size = FIRST_CHUNK;
  let chunk: Entry[] = [];
  for await (const entry of entries) {
    if (chunk.push(entry) < size) continue;
    yield chunk;
    if (size === FIRST_CHUNK) await countUsers(tx);
    chunk = [];
    size = CHUNK;
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Tells PostgreSQL how many rows there are, where it believes that there are next to none. Autovacuum counts only committed rows: after it
 * looked at tables that were empty, or in the middle of the first large import, PostgreSQL looks up each row by reading them all. 12,000
 * users took 105 s instead of 3 s. Until the end of the transaction autovacuum now stays away from these tables.
 */
async function countUsers(tx: Transaction): Promise<void> {
  const uncounted = await tx.$queryRawUnsafe<{ name: string }[]>(
    `select oid::regclass::text name from pg_class
     where oid = any(array['users', 'addresses', 'members']::regclass[]) and reltuples < ${FIRST_CHUNK}`,
  );
  if (uncounted.length > 0) await tx.$executeRawUnsafe(`analyze ${uncounted.map(({ name }) => name).join(', ')}`);
}
