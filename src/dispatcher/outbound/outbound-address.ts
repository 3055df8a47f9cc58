import { isIPv6 } from 'node:net';
import { parseAddress, parseSubnet } from '../../platform/field/subnet.js';
import type { Address, Subnet } from '../../platform/field/subnet.js';
import { OutboundRefused } from './outbound-error.js';

// Addresses that must not be reached although ipaddr.js calls them unicast: IPv4-compatible addresses, which some stacks
// deliver to the wrapped IPv4 host, and the one metadata service that has a public address (Azure).
const NEVER_PUBLIC: readonly Subnet[] = ['::/96', '168.63.129.16/32'].map(parseSubnet);

/** The reason to refuse an address (`private`, `loopback`, ...), or null when it is allowed. */
export function refusal(address: string, allow: readonly Subnet[]): string | null {
  // An IPv4 address inside IPv6 is not unwrapped: such addresses have ranges of their own, which are refused.
  const parsed = parseAddress(address);
  if (allow.some((subnet) => contains(subnet, parsed))) return null;
  if (NEVER_PUBLIC.some((subnet) => contains(subnet, parsed))) return 'reserved';
  const range = parsed.range();
  return range === 'unicast' ? null : range;
}

/** Normalises a host by the URL standard, so that 2130706433, 0x7f.1 and 0177.0.0.1 all become 127.0.0.1. */
export function plainHost(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (isIPv6(bare) && !bare.includes('%')) return bare;
  const url = `http://${bare}`;
  if (/^[^\s\p{Cc}/?#@:\\[\]%]+$/u.test(bare) && URL.canParse(url)) return new URL(url).hostname;
  throw new OutboundRefused(`${JSON.stringify(host)} is not a host name or address`);
}

/** Parses a URL. Refuses schemes other than http and https, and credentials. The host is checked when it is resolved. */
export function plainUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundRefused('the address is not a URL');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new OutboundRefused('only http and https are allowed');
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('credentials in the URL are not allowed');
  return url;
}

function contains([network, bits]: Subnet, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
