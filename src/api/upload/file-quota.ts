import type { Scope } from '../../auth/scope.js';
import type { FileStore } from '../../engine/file/file-store.js';
import { quotaExceeded } from '../../platform/http/problem.js';

const MB = 1024 * 1024;

/** Refuses a request that would store more bytes of files than the organization may have. */
export async function requireFileSpace(
  files: FileStore,
  { organizationId, quotas: { files_mb: quota } }: Pick<Scope, 'organizationId' | 'quotas'>,
  bytes: number,
): Promise<void> {
  const used = await files.usedBytes(organizationId);
  if (used + bytes <= quota * MB) return;
  throw quotaExceeded(
    'files_mb',
    `The organization stores ${Math.floor(used / MB)} MB of files, and its quota files_mb is ${quota}. Delete uploads, wait until old occurrences are purged, or ask the operator for a higher quota.`,
  );
}
