import type { Request } from 'express';
import { baseUrl } from '../../platform/http/base-url.js';
import { notFromHere } from '../../platform/http/problem.js';

const READS = new Set(['GET', 'HEAD']);

/**
 * Refuses a write with a cookie that another site may have caused: browsers send the cookie with it. Reads change nothing, and other sites
 * cannot see their answers. A browser says in `Sec-Fetch-Site` who caused a request, and in `Origin` over plain HTTP.
 */
export function requireSameOrigin(request: Request): void {
  if (READS.has(request.method)) return;
  const { 'sec-fetch-site': site, origin, 'content-type': type } = request.headers;
  if (site === undefined && origin === undefined) throw notFromHere('has neither Sec-Fetch-Site nor Origin');
  refuseOtherOrigin(request);
  // Forms of other sites cannot send JSON. Over https, the browser itself says that the page is ours, and it may send a file.
  const isJson = type === undefined || /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type);
  if (site === undefined && !isJson)
    throw notFromHere('has a body that is not JSON, and no Sec-Fetch-Site, which current browsers send over https');
}

/** Refuses a request that a browser sends for another site. Programs send neither of the two headers. */
export function refuseOtherOrigin(request: Request): void {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) {
    if (site !== 'same-origin') throw notFromHere(`comes from another site: Sec-Fetch-Site is not same-origin`);
  } else if (origin !== undefined && !isOwn(request, origin)) {
    throw notFromHere('comes from another site: Origin is not the address of this service');
  }
}

/** `PUBLIC_URL`, or the host that the client asked: both work for a browser on this machine. */
function isOwn(request: Request, origin: string): boolean {
  const base = baseUrl(request);
  const own = URL.canParse(base) ? new URL(base).origin : null;
  return origin === own || origin === `${request.protocol}://${request.headers.host}`;
}
