import { isIP } from 'node:net';
import { refusal } from '../outbound/outbound-address.js';

/** Names that mean something only in one network (RFC 6761, 6762, 8375 and 9476). */
const LOCAL = /\.(?:localhost|local|internal|invalid|home\.arpa)$/;

/** Whether a provider on the internet could reach a URL, as far as its host tells. */
export function isPublicUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return refusal(host, []) === null;
  return host.includes('.') && !LOCAL.test(host);
}

/** The path to which the provider of a channel reports. */
export const reportPath = (organization: string, project: string | null, channel: string): string =>
  ['/reports', organization, ...(project === null ? [] : [project]), channel].join('/');
