import { hashApiKey, newApiKey } from '../../dist/auth/api-key.js';
import { PERMISSIONS } from '../../dist/auth/permission.js';

/**
 * Creates operator keys with every permission, and returns their request headers.
 * @param {import('./database.mjs').Database} database
 */
export async function createKeys(database, count) {
  const keys = Array.from({ length: count }, newApiKey);
  await database.query(
    `insert into api_keys (name, permissions, hash) select 'bench', $1::text[], hash from unnest($2::bytea[]) hash`,
    [PERMISSIONS, keys.map((key) => `\\x${hashApiKey(key)}`)],
  );
  return keys.map((key) => ({ authorization: `Key ${key}`, 'content-type': 'application/json' }));
}
