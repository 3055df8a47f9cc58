import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { parseAddress } from '../field/subnet.js';

/**
 * The address of a client, to count by. Of an IPv6 address only the network: a client can choose the other 64 bits freely.
 *
 * With TRUST_PROXY it is the last address in `X-Forwarded-For`, which the nearest proxy has added. A client can make up the others.
 */
export function clientAddress({ ips, socket }: Request): string {
  const forwarded = ips.at(-1) ?? '';
  const text = isIP(forwarded) ? forwarded : (socket.remoteAddress ?? '');
  if (!isIP(text)) return 'unknown'; // the client has disconnected
  const address = parseAddress(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  return `${address.parts.slice(0, 4).join(':')}::/64`;
}
