import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const digestOf = (...parts: (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64');
};

/** The signatures that were used, each with the digest of its body. A channel has few thousand at a time. */
const used = new LRUCache<string, string>({ max: 100_000 });

/** Whether a signature that does not cover the body comes for the first time, or with the same body again. */
export function isOfOneBody(signature: string, body: Buffer, key: string): boolean {
  const name = digestOf(key, ' ', signature);
  const digest = digestOf(body);
  const known = used.get(name);
  if (known === undefined) used.set(name, digest);
  return known === undefined || known === digest;
}
