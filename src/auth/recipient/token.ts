import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../platform/field/is-object.js';

/** What a recipient token may reach: the inbox, the preferences and the devices of its user. */
export const RECIPIENT_SCOPES = ['inbox', 'preferences', 'devices'] as const;
export type RecipientScope = (typeof RECIPIENT_SCOPES)[number];

/**
 * Those of a token that names none. Not `devices`: a device gets messages for longer than a token lasts, so a stolen token must not be able to
 * register one unless the page needs it.
 */
export const USUAL_SCOPES: readonly RecipientScope[] = ['inbox', 'preferences'];

/** The longest life of a token. */
export const MAX_TOKEN_SECONDS = 24 * 3600;
/** How far the clock of an organization that signs its own tokens may be from ours. */
const CLOCK_SECONDS = 60;
const MAX_LENGTH = 2048;

const SHAPE = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/;

interface TokenClaims {
  /** Slug of the organization. */
  org: string;
  /** Username of the user. */
  sub: string;
  /** Separated by spaces. */
  scope: string;
  /** Seconds since 1970. */
  iat: number;
  exp: number;
  /** Id of the user, in tokens that the service signs. */
  uid?: number;
}

/** A token whose form and times are right. Its signature is not checked yet. */
export interface ReadToken {
  kid: string;
  org: string;
  username: string;
  scopes: readonly RecipientScope[];
  expiresAt: Date;
  isSignedWith(secret: string): boolean;
  /** Whether it was made for this user, not for an earlier one with the same address. */
  isOf(user: { id: number; createdAt: Date }): boolean;
}

/** Whether a text looks like a token. A key never does: it has no dots. */
export const looksLikeToken = (text: string) => text.includes('.');

/** A JSON Web Token, signed with HS256. The bytes of the secret's text are the key of the HMAC. */
export function signToken(claims: TokenClaims, kid: string, secret: string): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode(claims)}`;
  return `${signed}.${signatureOf(signed, secret)}`;
}

/** Null: it cannot be valid, whoever signed it. */
export function readToken(token: string, now = Date.now()): ReadToken | null {
  const [, header = '', payload = '', signature = ''] = (token.length <= MAX_LENGTH && SHAPE.exec(token)) || [];
  const head = decode(header);
  // Only this algorithm: a token must not choose how it is checked. We know no extension that `crit` could name.
  if (head?.alg !== 'HS256' || !isPlainText(head.kid) || 'crit' in head) return null;
  const claims = decode(payload);
  if (!claims || !isPlainText(claims.org) || !isPlainText(claims.sub) || !areTimesRight(claims, now / 1000))
    return null;
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ') : [];
  return {
    kid: head.kid,
    org: claims.org,
    username: claims.sub,
    scopes: RECIPIENT_SCOPES.filter((scope) => scopes.includes(scope)),
    expiresAt: new Date((claims.exp as number) * 1000),
    // An organization that signs its own tokens need not know our ids; its clock may be behind ours.
    isOf: ({ id, createdAt }) =>
      claims.uid === undefined
        ? (claims.iat as number) + CLOCK_SECONDS >= Math.floor(createdAt.getTime() / 1000)
        : claims.uid === id,
    // Compares texts: several texts in base64 mean the same bytes.
    isSignedWith: (secret) =>
      timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(`${header}.${payload}`, secret))),
  };
}

function areTimesRight({ iat, exp, nbf = 0 }: Record<string, unknown>, now: number): boolean {
  if (![iat, exp, nbf].every((time) => Number.isFinite(time))) return false;
  const [issued, expires, notBefore] = [iat as number, exp as number, nbf as number];
  return expires > now && expires - issued <= MAX_TOKEN_SECONDS && Math.max(issued, notBefore) <= now + CLOCK_SECONDS;
}

/** PostgreSQL accepts no NUL. */
const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\u0000');

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const signatureOf = (signed: string, secret: string) => createHmac('sha256', secret).update(signed).digest('base64url');
