import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { readOrCreate } from '../config/read-or-create.js';

/** Returns the configured key, or else the key in the data folder, which is created if missing. */
export function secretKeyOf({ secretKey, dataDir }: Config): Buffer {
  if (secretKey) return secretKey;
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  return Buffer.from(
    readOrCreate(join(dataDir, 'secret-key'), () => randomBytes(32).toString('base64')),
    'base64',
  );
}
