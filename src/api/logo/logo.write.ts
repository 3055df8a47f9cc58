import { randomUUID } from 'node:crypto';
import { STORE_SMALL_FILE } from '../../engine/file/file.sql.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { StoredLogo } from './logo.js';
import { FORGET_LOGOS, KEEP_LOGO } from './logo.sql.js';

/** The logo and the nine before it, which mails show that were sent in their time. */
const KEPT = 10;

/** Stores the bytes of a logo. Without a logo, no earlier one is served any longer either. */
export async function storeLogo(
  tx: Transaction,
  organizationId: number,
  logo: StoredLogo | null,
  bytes: Buffer,
): Promise<void> {
  if (logo) await keep(tx, organizationId, Buffer.from(logo.sha256, 'hex'), bytes);
  await tx.$executeRawUnsafe(FORGET_LOGOS, organizationId, logo ? KEPT : 0);
}

async function keep(tx: Transaction, organizationId: number, sha256: Buffer, bytes: Buffer): Promise<void> {
  for (let tries = 1; tries <= 3; tries++) {
    await tx.$executeRawUnsafe(STORE_SMALL_FILE, randomUUID(), organizationId, sha256, bytes);
    const kept = await tx.$queryRawUnsafe<unknown[]>(KEEP_LOGO, organizationId, sha256);
    // None: the purge has just deleted an older file with these bytes.
    if (kept.length > 0) return;
  }
  throw new Error('the logo was deleted while it was stored');
}
