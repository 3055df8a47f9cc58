import { hash, randomBytes } from 'node:crypto';
import { looksLikeToken } from './recipient/token.js';

/** The prefix of each kind of secret, also for secret scanners: of an API key, of a session's cookie, and of a sign-in link. */
const PREFIX = { key: 'crl_', session: 'crs_', link: 'crt_' };
const LENGTH = 4 + 64 + 8;

export type SecretKind = keyof typeof PREFIX;

/** A prefix, 256 random bits, and a checksum: a mistyped or truncated secret is refused without a query. */
export function newSecret(kind: SecretKind): string {
  const body = PREFIX[kind] + randomBytes(32).toString('hex');
  return body + checksum(body);
}

export const newApiKey = () => newSecret('key');

export function isWellFormed(secret: string, kind: SecretKind = 'key'): boolean {
  return (
    secret.length === LENGTH &&
    secret.startsWith(PREFIX[kind]) &&
    /^[0-9a-f]+$/.test(secret.slice(4)) &&
    secret.slice(-8) === checksum(secret.slice(0, -8))
  );
}

/** The hash that is stored. The kind is a part of it: the secret of one kind never matches a row of another. */
export const hashSecret = (secret: string, kind: SecretKind) =>
  kind === 'key' ? hashApiKey(secret) : hash('sha256', `${kind} ${secret}`);

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
