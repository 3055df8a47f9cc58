import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const digestOf = (part: string | Buffer): string => createHash('sha256').update(part).digest('base64');

/** Signatures of a key, each with the digest of its body. A channel has few thousand at a time. */
type Used = LRUCache<string, string>;

const MAX_SIGNATURES = 5000;
const MAX_KEYS = 200;

/** By key: whoever has one cannot make the process forget the signatures of others. */
const usedBy = new LRUCache<string, Used>({ max: MAX_KEYS });

/** Whether a signature that does not cover the body comes for the first time, or with the same body again. */
export function isOfOneBody(signature: string, body: Buffer, key: string): boolean {
  const owner = digestOf(key);
  const used: Used = usedBy.get(owner) ?? new LRUCache<string, string>({ max: MAX_SIGNATURES });
  usedBy.set(owner, used);
  const name = digestOf(signature);
  const digest = digestOf(body);
  const known = used.get(name);
  if (known === undefined) used.set(name, digest);
  return known === undefined || known === digest;
}
