import { allowLongStatements } from '../prisma/transaction.js';
import type { Transaction } from '../prisma/transaction.js';

const LOCK = 7_261_004;

/** For a transaction that writes many rows: a statement may take longer than a request, and two of them would wait for each other row by row. */
export async function workAlone(tx: Transaction): Promise<void> {
  await allowLongStatements(tx);
  await tx.$executeRawUnsafe('select pg_advisory_xact_lock($1)', LOCK);
}
