import { sqlArray } from '../platform/database/transaction.js';
import type { SqlTransaction } from '../platform/database/transaction.js';
import { hashApiKey, newApiKey } from './api-key.js';
import type { Permission } from './permission.js';
import { INSERT_API_KEY, REVOKE_API_KEY } from './scope.sql.js';

export interface NewApiKey {
  name: string;
  permissions: readonly Permission[];
  /** Undefined: an operator key, which reaches all organizations. */
  organizationId?: number;
  projectId?: number;
  applicationId?: number;
  expiresAt?: Date;
  /** Requests a second; undefined: no limit. */
  rateLimit?: number;
  /** The key that it shares the limit with; undefined: it has its own. */
  rateLimitOf?: number;
}

export interface CreatedApiKey {
  id: number;
  /** The text of the key. Only its hash is stored, so the text cannot be shown again. */
  text: string;
}

/** The highest rate limit of a key, in requests a second. */
export const MAX_RATE_LIMIT = 1_000_000;

export async function createApiKey(tx: SqlTransaction, key: NewApiKey): Promise<CreatedApiKey> {
  const text = newApiKey();
  const [row] = await tx.$queryRawUnsafe<{ id: number }[]>(
    INSERT_API_KEY,
    ...[key.organizationId ?? null, key.projectId ?? null, key.applicationId ?? null],
    ...[key.name, sqlArray(key.permissions), hashApiKey(text)],
    ...[key.expiresAt?.toISOString() ?? null, key.rateLimit ?? null, key.rateLimitOf ?? null],
  );
  return { id: row!.id, text };
}

/** Returns false when there is no such key, or it was already revoked. */
export const revokeApiKey = async (tx: SqlTransaction, id: number): Promise<boolean> =>
  (await tx.$executeRawUnsafe(REVOKE_API_KEY, id)) > 0;
