import type { Request, Response } from 'express';

// An API has nothing to load, run or show.
const API_POLICY = `default-src 'none'; frame-ancestors 'none'`;

// Swagger UI: its own files, styles in the page, and icons as data. It sends requests to the API of the same host.
const DOCS_POLICY = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'`;
const DOCS = /^\/api\/docs(\/|\?|$)/i;

const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * The same headers for every answer. Browsers must use TLS from now on (HSTS) only if `PUBLIC_URL` says that there is TLS: Carillon does
 * not see what a proxy in front of it does.
 */
export const securityHeaders = (publicUrl: string | null): readonly [string, string][] => [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Cache-Control', 'no-store'],
  ...(publicUrl?.startsWith('https:')
    ? [['Strict-Transport-Security', `max-age=${YEAR_SECONDS}`] as [string, string]]
    : []),
];

export function setSecurityHeaders(
  request: Request,
  response: Response,
  headers: readonly (readonly [string, string])[],
): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', DOCS.test(request.url) ? DOCS_POLICY : API_POLICY);
}
