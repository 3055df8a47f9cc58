import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { keep } from '../config/keep.js';

/** The key that the configuration names, or else the one that is kept in the data folder, made if need be. */
export function secretKeyOf({ secretKey, dataDir }: Config): Buffer {
  if (secretKey) return secretKey;
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  return Buffer.from(
    keep(join(dataDir, 'secret-key'), () => randomBytes(32).toString('base64')),
    'base64',
  );
}
