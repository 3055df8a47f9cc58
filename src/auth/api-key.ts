import { hash, randomBytes } from 'node:crypto';
import { looksLikeToken } from './recipient/token.js';

// A prefix for secret scanners, 256 random bits, and a checksum: a mistyped or truncated key is refused without a query.
const PREFIX = 'crl_';
const FORMAT = /^crl_[0-9a-f]{64}[0-9a-f]{8}$/;

export function newApiKey(): string {
  const body = PREFIX + randomBytes(32).toString('hex');
  return body + checksum(body);
}

export function isWellFormed(key: string): boolean {
  return FORMAT.test(key) && key.slice(-8) === checksum(key.slice(0, -8));
}

/** The hash that is stored instead of the key, as hex. A key has 256 random bits, so a fast hash is safe. */
export function hashApiKey(key: string): string {
  return hash('sha256', key);
}

function checksum(body: string): string {
  return hash('sha256', body).slice(0, 8);
}

/** Reads the recipient token of a request, only from `Authorization: Bearer ...`. A key there has no dots. */
export function presentedToken({ authorization = '' }: { authorization?: string }): string | null {
  const [, token] = /^bearer\s+(\S+)\s*$/i.exec(authorization) ?? [];
  return token && looksLikeToken(token) ? token : null;
}

/** Reads the key of a request from `Authorization: Key ...`, `Authorization: Bearer ...` or `X-API-Key`; never from the query. */
export function presentedKey(headers: { authorization?: string; 'x-api-key'?: string | string[] }): string | null {
  const [, scheme, key] = /^(\S+)\s+(\S+)\s*$/.exec(headers.authorization ?? '') ?? [];
  if (key && /^(key|bearer)$/i.test(scheme ?? '')) return key;
  const own = headers['x-api-key'];
  return typeof own === 'string' && own.trim() ? own.trim() : null;
}
