import type { Request, Response } from 'express';
import { baseUrl } from '../../platform/http/base-url.js';
import { SESSION_DAYS } from '../scope.sql.js';

/** Browsers accept a cookie whose name starts with `__Host-` only over TLS, and only from this host itself. */
const PREFIX = '__Host-';

interface CookieOptions {
  /** Added to the name of the cookie, for one that is not the session's. */
  suffix?: string;
  maxAgeSeconds: number;
  /** `Lax`: the browser also sends it when another site leads here. */
  sameSite?: 'Strict' | 'Lax';
}

const isSecure = (request: Request) => baseUrl(request).startsWith('https:');

const nameOf = (request: Request, suffix: string) => `${isSecure(request) ? PREFIX : ''}carillon${suffix}`;

/** The secret in the session's cookie. A cookie of the name for plain HTTP does not count where there is TLS. */
export const presentedSession = (request: Request) => readCookie(request);

/** Returns the value of a cookie that `setCookie` has set; null: the request has none, or two of them. */
export function readCookie(request: Request, suffix = ''): string | null {
  const { cookie } = request.headers;
  // Most requests have a key, and no cookie.
  if (cookie === undefined) return null;
  const start = `${nameOf(request, suffix)}=`;
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  return values.length === 1 ? values[0]!.slice(start.length) || null : null;
}

export function setCookie(
  request: Request,
  response: Response,
  value: string,
  { suffix = '', maxAgeSeconds, sameSite = 'Strict' }: CookieOptions,
): void {
  const parts = [`${nameOf(request, suffix)}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly'];
  if (isSecure(request)) parts.push('Secure');
  response.append('Set-Cookie', [...parts, `SameSite=${sameSite}`].join('; '));
}

export const setSessionCookie = (request: Request, response: Response, secret: string) =>
  setCookie(request, response, secret, { maxAgeSeconds: SESSION_DAYS * 24 * 3600 });

export const clearCookie = (request: Request, response: Response, suffix = '') =>
  setCookie(request, response, '', { suffix, maxAgeSeconds: 0 });
