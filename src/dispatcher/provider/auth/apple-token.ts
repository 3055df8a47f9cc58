import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { MadeToken } from '../../token/channel-tokens.js';
import { base64Json, fingerprintOf, wrongKey, type RequestToken } from './token-auth.js';

const MINUTE_MS = 60_000;

/** Apple refuses tokens older than an hour, and providers that renew them more often than every 20 minutes. */
const EXPIRES_MS = 60 * MINUTE_MS;
const RENEWED_AFTER_MS = 50 * MINUTE_MS;
const MIN_AGE_MS = 20 * MINUTE_MS;

const PROBLEM = 'must be the private key of a .p8 file from Apple: a PEM with a P-256 key';

/** What is wrong with a setting that holds a key. */
export const problemWithAppleKey = (pem: string): string | null => (readKey(pem) === null ? PROBLEM : null);

/** A token that Apple takes. Each signature is different, so all processes must use the same text. */
export function appleToken({ team, keyId, pem }: { team: string; keyId: string; pem: string }): RequestToken {
  return {
    purpose: 'apple',
    fingerprint: fingerprintOf(team, keyId, pem),
    minAgeMs: MIN_AGE_MS,
    make: () => Promise.resolve(makeToken(team, keyId, pem)),
  };
}

function makeToken(team: string, keyId: string, pem: string): MadeToken {
  const key = readKey(pem);
  if (key === null) return wrongKey(`the private key ${PROBLEM}`);
  const madeAt = Date.now();
  const claims = { iss: team, iat: Math.floor(madeAt / 1000) };
  const signed = `${base64Json({ alg: 'ES256', kid: keyId })}.${base64Json(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  const value = `${signed}.${signature.toString('base64url')}`;
  return { value, madeAt, renewAt: madeAt + RENEWED_AFTER_MS, expiresAt: madeAt + EXPIRES_MS };
}

function readKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    const { namedCurve } = key.asymmetricKeyDetails ?? {};
    return key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}
