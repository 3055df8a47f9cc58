import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A private key that signs mails. */
export interface DkimKey {
  key: KeyObject;
  algorithm: 'rsa-sha256' | 'ed25519-sha256';
}

/** Receivers may refuse smaller keys, and need not read larger ones (RFC 8301). */
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 4096;

/** Reads a private key in PEM format, or says what is wrong with it. The sentence goes on after the name of the setting. */
export function readDkimKey(pem: string): DkimKey | { problem: string } {
  const key = parsed(pem);
  if (key === null)
    return {
      problem: 'must be one private key in PEM format (-----BEGIN PRIVATE KEY----- ...), without a passphrase',
    };
  if (key.asymmetricKeyType === 'ed25519') return { key, algorithm: 'ed25519-sha256' };
  if (key.asymmetricKeyType !== 'rsa')
    return { problem: `must be an RSA or Ed25519 key, not ${key.asymmetricKeyType}` };
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
    return { problem: `must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits, not ${bits}` };
  return { key, algorithm: 'rsa-sha256' };
}

export function problemWithDkimKey(pem: string): string | null {
  const read = readDkimKey(pem);
  return 'problem' in read ? read.problem : null;
}

/** To parse a key takes as long as to sign with it, and each batch of messages brings its own copy of the settings. */
const keys = new LRUCache<string, KeyObject>({ max: 200 });

function parsed(pem: string): KeyObject | null {
  try {
    const key = keys.get(pem) ?? createPrivateKey(pem);
    keys.set(pem, key);
    return key;
  } catch {
    return null;
  }
}

/** The public half as a DNS record has it: of RSA the whole SPKI structure, of Ed25519 only the 32 bytes of the key (RFC 8463). */
export function publicKeyOf({ key, algorithm }: DkimKey): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return (algorithm === 'rsa-sha256' ? der : der.subarray(-32)).toString('base64');
}
