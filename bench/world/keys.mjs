import { hashApiKey, newApiKey } from '../../dist/auth/api-key.js';
import { PERMISSIONS } from '../../dist/auth/permission.js';

/**
 * Creates a key with every permission for each of these organizations, and returns their request headers.
 * @param {import('./database.mjs').Database} database
 * @param {(number | null)[]} organizations null: an operator key
 */
export async function createKeys(database, organizations) {
  const keys = organizations.map(() => newApiKey());
  await database.query(
    `insert into api_keys (name, permissions, organization_id, hash)
     select 'bench', $1::text[], organization, hash from unnest($2::int[], $3::bytea[]) each (organization, hash)`,
    [PERMISSIONS, organizations, keys.map((key) => `\\x${hashApiKey(key)}`)],
  );
  return keys.map((key) => ({ authorization: `Key ${key}`, 'content-type': 'application/json' }));
}
