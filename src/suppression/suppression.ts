import { SuppressionCause } from '../generated/prisma/enums.js';
import { futureProblem } from '../field/date-time.js';
import type { FieldErrors } from '../http/problem.js';
import type { SqlTransaction } from '../prisma/transaction.js';
import { normalizeAddress } from '../user/address.js';
import { PUT_SUPPRESSION } from './suppression.sql.js';

export type { SuppressionCause };

export const CAUSES = Object.values(SuppressionCause);

export interface SuppressionRow {
  id: number;
  name: string;
  value: string;
  cause: SuppressionCause;
  evidence: Record<string, unknown>;
  createdAt: Date;
  expiresAt: Date | null;
}

/** A suppression that somebody asks for. */
export interface NewSuppression {
  name: string;
  value: string;
  cause?: SuppressionCause;
  note?: string;
  expires_at?: string | null;
}

/** Adds or renews a suppression. Returns its row, or the problems of its fields. HTTP and the command line use it. */
export async function putSuppression(
  tx: SqlTransaction,
  organizationId: number,
  { name: givenName, value, cause = 'manual', note, expires_at: expires }: NewSuppression,
): Promise<{ row: SuppressionRow } | { errors: FieldErrors }> {
  const name = givenName.trim();
  const normal = normalizeAddress(name, value);
  const expiry = expires === undefined || expires === null ? null : futureProblem(expires);
  const errors: FieldErrors = {
    ...(name === '' ? { name: ['must not be blank'] } : {}),
    ...('problem' in normal ? { value: [normal.problem] } : {}),
    ...(expiry === null ? {} : { expires_at: [expiry] }),
  };
  if ('problem' in normal || Object.keys(errors).length > 0) return { errors };
  const evidence = JSON.stringify(note === undefined ? {} : { note });
  const until = expires === undefined || expires === null ? null : new Date(expires).toISOString();
  const values = [organizationId, name, normal.value, cause, evidence, until];
  const [row] = await tx.$queryRawUnsafe<SuppressionRow[]>(PUT_SUPPRESSION, ...values);
  return { row: row! };
}
