import type { IncomingHttpHeaders } from 'node:http';
import { BODY_METHODS } from '../../platform/http/body/json-body.guard.js';
import { PROOF_HEADER } from './proof.js';

/** Headers about one connection, not about the request. `expect` was answered here; `framing` says anew how long the body is. */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', PROOF_HEADER],
]);

/**
 * The headers that go on to the other side. A header that `Connection` names goes on too: a client would choose which headers the other cell
 * does not see, such as the length of the body or the key. The other cell ignores what it does not know, as this one does.
 */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

interface Framed {
  method: string;
  headers: IncomingHttpHeaders;
}

/** Whether the body of a request goes on. A body of any other method is dropped: no route reads it. */
export const hasBody = ({ method }: { method: string }) => BODY_METHODS.has(method);

/**
 * The headers of a request that goes on. They always say where it ends: bytes after its end would run as the next request on the same
 * connection, which may be that of another client. `body`: what was read of it already, and decompressed.
 */
export function forwardedHeaders({ method, headers }: Framed, body: Buffer | undefined): IncomingHttpHeaders {
  const { 'content-length': length = '0', 'content-encoding': encoding, ...others } = endToEnd(headers);
  if (!hasBody({ method })) return others;
  if (body) return { ...others, 'content-length': String(body.length) };
  const framing =
    headers['transfer-encoding'] === undefined ? { 'content-length': length } : { 'transfer-encoding': 'chunked' };
  return { ...others, ...(encoding !== undefined && { 'content-encoding': encoding }), ...framing };
}
