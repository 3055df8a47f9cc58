import { randomUUID } from 'node:crypto';
import { FILE_SPACE, STORE_SMALL_FILE } from '../../engine/file/file.sql.js';
import type { Quotas } from '../../platform/config/quota.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import type { StoredLogo } from './logo.js';
import { DELETE_FORGOTTEN, FORGET_LOGOS, KEEP_LOGO, LOCK_FORGOTTEN } from './logo.sql.js';

export interface LogoContext {
  tx: Transaction;
  /** Of organizations without quotas of their own. */
  quotas: Quotas;
}

/** The logo and the nine before it, which mails show that were sent in their time. */
const KEPT = 10;

const MB = 1024 * 1024;

/**
 * Stores the bytes of a logo. Without a logo, no earlier one is served any longer either. Returns the errors of each field, or null; after
 * errors the caller rolls back.
 */
export async function storeLogo(
  context: LogoContext,
  organizationId: number,
  logo: StoredLogo | null,
  bytes: Buffer,
): Promise<FieldErrors | null> {
  const { tx } = context;
  const isNew = logo !== null && (await keep(tx, organizationId, Buffer.from(logo.sha256, 'hex'), bytes));
  await forget(tx, organizationId, logo ? KEPT : 0);
  return isNew ? spaceErrors(context, organizationId) : null;
}

/** Returns whether the bytes are new. */
async function keep(tx: Transaction, organizationId: number, sha256: Buffer, bytes: Buffer): Promise<boolean> {
  for (let tries = 1; tries <= 3; tries++) {
    const stored = await tx.$executeRawUnsafe(STORE_SMALL_FILE, randomUUID(), organizationId, sha256, bytes);
    const kept = await tx.$queryRawUnsafe<unknown[]>(KEEP_LOGO, organizationId, sha256);
    // None: the purge has just deleted an older file with these bytes.
    if (kept.length > 0) return stored > 0;
  }
  throw new Error('the logo was deleted while it was stored');
}

/** Deletes the forgotten logos at once: an organization could store many before the next purge. */
async function forget(tx: Transaction, organizationId: number, kept: number): Promise<void> {
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const forgotten = idsOf(await tx.$queryRawUnsafe(FORGET_LOGOS, organizationId, kept));
  if (forgotten.length === 0) return;
  const locked = idsOf(await tx.$queryRawUnsafe(LOCK_FORGOTTEN, forgotten));
  await tx.$executeRawUnsafe(DELETE_FORGOTTEN, locked);
}

/** Counts the bytes that were just stored, without the ones that were just deleted. */
async function spaceErrors({ tx, quotas }: LogoContext, organizationId: number): Promise<FieldErrors | null> {
  const space = await tx.$queryRawUnsafe<{ quota: number; used: number }[]>(
    FILE_SPACE,
    organizationId,
    quotas.files_mb,
  );
  const { quota, used } = space[0]!;
  if (used <= quota * MB) return null;
  const problem = `exceeds the organization's quota files_mb, which is ${quota}: delete uploads, wait until old occurrences are purged, or ask the operator for a higher quota`;
  return { logo: [fieldError('too_large', problem)] };
}
