import type { IncomingHttpHeaders } from 'node:http';
import { PROOF_HEADER } from './proof.js';

/** Headers about one connection, not about the request. `expect` was answered here. */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', PROOF_HEADER],
]);

/** The headers that go on to the other side: without those of the connection, and those that the header Connection names. */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)));
}
