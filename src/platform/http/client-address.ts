import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { parseAddress } from '../field/subnet.js';

const TOLD = Symbol('told address');
type Told = Request & { [TOLD]?: string };

/** For a request that another cell has forwarded, and has proved that it has. */
export function setClientAddress(request: Request, address: string): void {
  (request as Told)[TOLD] = address;
}

/**
 * The address of a client, for the audit log. With TRUST_PROXY it is the last address in `X-Forwarded-For`, which the nearest proxy has
 * added. A client can make up the others.
 */
export function clientAddress(request: Request): string {
  const { headers, socket } = request;
  const told = (request as Told)[TOLD];
  if (told !== undefined) return told;
  // Express parses the header for `ips`, a twentieth of a short request, whether it is there or not.
  const forwarded = headers['x-forwarded-for'] === undefined ? '' : (request.ips.at(-1) ?? '');
  const text = isIP(forwarded) ? forwarded : (socket.remoteAddress ?? '');
  // An IPv4 client of a socket that listens on both. It has no other form here, and this is cheaper than to parse it.
  if (text.startsWith('::ffff:') && isIP(text.slice(7)) === 4) return text.slice(7);
  return isIP(text) ? text : 'unknown'; // the client has disconnected
}

/** What to count by: of an IPv6 address only the network, because a client can choose the other 64 bits freely. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = parseAddress(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts.slice(0, 4).join(':')}::/64`;
}
