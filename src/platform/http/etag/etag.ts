import { createHash } from 'node:crypto';
import { changedMeanwhile } from '../problem.js';

/** What the ETag of an answer covers, if that is not the answer itself. */
const versions = new WeakMap<object, unknown>();

/**
 * Lets the ETag of `body` cover `version` instead: without figures that change by themselves, or with secrets that the answer masks.
 */
export function etagCovers<Body extends object>(body: Body, version: unknown): Body {
  versions.set(body, version);
  return body;
}

export function etagOf(body: object): string {
  const text = JSON.stringify(versions.get(body) ?? body);
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/**
 * Refuses a change whose `If-Match` names another version than the stored one. Call it inside the transaction of the change: `read` locks
 * the row, so that nobody changes it in between, and returns the answer of the GET; null: there is nothing stored.
 */
export async function requireMatch(ifMatch: string | null, read: () => Promise<object | null>): Promise<void> {
  if (ifMatch === null) return;
  const body = await read();
  if (body === null || !matches(ifMatch, etagOf(body))) throw changedMeanwhile();
}

/** Whether the header is `*` or has the ETag in its list. A weak ETag (`W/"..."`) never matches (RFC 9110, 13.1.1). */
export function matches(ifMatch: string, etag: string): boolean {
  const names = ifMatch.split(',').map((name) => name.trim());
  return ifMatch.trim() === '*' || names.includes(etag);
}
