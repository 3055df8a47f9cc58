import { domainToASCII } from 'node:url';

export interface Mailbox {
  /** Name to show; may be empty. */
  name: string;
  address: string;
}

// The unquoted form of RFC 5321, also with letters beyond ASCII (RFC 6531). The quoted form is left out on purpose: it
// allows a comma or an angle bracket in an address, which could turn one recipient into two.
const LOCAL = /^(?!\.)(?:\.?[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-])+$/u;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The ASCII form of one domain; null for anything else. */
export function parseDomain(text: string): string | null {
  const domain = plainDomain(text);
  return DOMAIN.test(domain) ? domain : null;
}

/** Parses exactly one address and converts its domain to ASCII; null for anything else. */
export function parseAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const domain = parseDomain(text.slice(at + 1));
  if (at < 1 || Buffer.byteLength(local) > 64 || !LOCAL.test(local) || domain === null) return null;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) <= 254 ? address : null;
}

/** The ASCII form of a domain. The URL standard accepts more than host names, so other characters are refused first. */
function plainDomain(text: string): string {
  if (/^[A-Za-z0-9.-]*$/.test(text)) return text.toLowerCase();
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(text) ? domainToASCII(text) : '';
}

/** `ann@acme.test`, `Ann Lee <ann@acme.test>` or `"Lee, Ann" <ann@acme.test>`; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const match = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^"<>]*?))\s*<([^<>]*)>\s*$/u.exec(text);
  const address = parseAddress((match?.[3] ?? text).trim());
  if (address === null || /\p{Cc}/u.test(text)) return null;
  return { name: match?.[1]?.replace(/\\(.)/gu, '$1') ?? match?.[2] ?? '', address };
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
