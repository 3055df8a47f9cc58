import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Subnet = readonly [Address, number];

/** Parses an allow-list such as `10.0.0.0/8, ::1` into CIDRs. */
export function parseAllow(text: string): string[] {
  return text
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [address, bits] = parseSubnet(piece);
      return `${address.toString()}/${bits}`;
    });
}

/** Parses one address or CIDR. Throws an error that quotes any other text. */
export function parseSubnet(piece: string): Subnet {
  const [address = '', bits, ...rest] = piece.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  const width = family === 4 ? 32 : 128;
  const length = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  if (family === 0 || rest.length > 0 || !(length <= width)) {
    throw new Error(`"${piece}" is not an IP address or a subnet such as 10.0.0.0/8`);
  }
  return [parseAddress(address), length];
}

/** ipaddr.js confuses `::127.0.0.1` with `::ffff:127.0.0.1`, so IPv6 is first written without dots. */
export function parseAddress(text: string): Address {
  const [bare = ''] = text.split('%');
  return ipaddr.parse(isIPv6(bare) ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare);
}
