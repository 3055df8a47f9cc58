import { SuppressionCause } from '../../platform/database/generated/prisma/enums.js';
import { futureProblem } from '../../platform/field/date-time.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';
import { normalizeAddress } from '../user/address.js';
import { FIND_PROJECT, PUT_SUPPRESSION } from './suppression.sql.js';

export type { SuppressionCause };

export const CAUSES = Object.values(SuppressionCause);

export interface SuppressionRow {
  id: number;
  name: string;
  value: string;
  /** Its slug; null: for the whole organization. */
  project: string | null;
  cause: SuppressionCause;
  evidence: Record<string, unknown>;
  createdAt: Date;
  expiresAt: Date | null;
}

/** A suppression that somebody asks for. */
interface NewSuppression {
  name: string;
  value: string;
  /** Slug of the project whose messages it stops. Left out: of the project that the caller is bound to, or of the whole organization. */
  project?: string;
  cause?: SuppressionCause;
  note?: string;
  expires_at?: string | null;
}

/** Whose suppressions the caller may change: those of a project, or, with null, those of the organization and of all its projects. */
interface Owner {
  organizationId: number;
  projectId: number | null;
}

/** Adds or renews a suppression. Returns its row, or the problems of its fields. HTTP and the command line use it. */
export async function putSuppression(
  tx: SqlTransaction,
  owner: Owner,
  { name: givenName, value, project, cause = 'manual', note, expires_at: expires }: NewSuppression,
): Promise<{ row: SuppressionRow } | { errors: FieldErrors }> {
  const name = givenName.trim();
  const normal = normalizeAddress(name, value);
  const expiry = expires === undefined || expires === null ? null : futureProblem(expires);
  const projectId = await projectOf(tx, owner, project);
  const errors: FieldErrors = {
    ...(projectId === undefined ? { project: [fieldError('not_found', 'does not exist')] } : {}),
    ...(name === '' ? { name: [fieldError('blank', 'must not be blank')] } : {}),
    ...('problem' in normal ? { value: [normal.problem] } : {}),
    ...(expiry === null ? {} : { expires_at: [expiry] }),
  };
  if ('problem' in normal || projectId === undefined || hasErrors(errors)) return { errors };
  const evidence = JSON.stringify(note === undefined ? {} : { note });
  const until = expires === undefined || expires === null ? null : new Date(expires).toISOString();
  const values = [owner.organizationId, name, normal.value, cause, evidence, until, projectId];
  const [row] = await tx.$queryRawUnsafe<SuppressionRow[]>(PUT_SUPPRESSION, ...values);
  return { row: row! };
}

/** Undefined: the caller may not name this project, or there is none. */
async function projectOf(
  tx: SqlTransaction,
  { organizationId, projectId }: Owner,
  slug: string | undefined,
): Promise<number | null | undefined> {
  if (slug === undefined) return projectId;
  const [row] = await tx.$queryRawUnsafe<{ id: number }[]>(FIND_PROJECT, organizationId, slug, projectId);
  return row?.id;
}
