import { PERMISSIONS } from '../../../auth/permission.js';
import { visible } from '../../../platform/config/visible.js';
import { aligned } from './print.js';

/** A key as `key list` prints it, from the database or over HTTP. Times are ISO texts. */
interface ListedKey {
  id: number;
  name: string;
  organization: string | null;
  project: string | null;
  application: string | null;
  state: 'valid' | 'revoked' | 'expired';
  last_used_at: string | null;
  expires_at: string | null;
  rate_limit: number | null;
  permissions: string[];
}

export const keyState = (revokedAt: unknown, expiresAt: string | null): ListedKey['state'] =>
  revokedAt ? 'revoked' : expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';

export function keyTable(keys: ListedKey[]): string {
  const lines = keys.map((key) => [
    String(key.id),
    visible(key.name),
    [key.organization, key.project, key.application].filter((slug) => slug !== null).join('/') || '(everything)',
    key.state,
    key.last_used_at?.slice(0, 16).replace('T', ' ') ?? 'never',
    key.rate_limit === null ? '-' : String(key.rate_limit),
    key.permissions.length === PERMISSIONS.length ? 'all' : key.permissions.join(' '),
  ]);
  return lines.length === 0 ? 'no keys' : aligned([HEADER, ...lines]);
}

const HEADER = ['ID', 'NAME', 'REACHES', 'STATE', 'LAST USED', 'RATE LIMIT', 'PERMISSIONS'];
