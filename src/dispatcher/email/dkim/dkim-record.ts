import { publicKeyOf } from './dkim-key.js';
import type { DkimKey } from './dkim-key.js';

/** A string of a TXT record has at most 255 bytes. A record has as many as it needs, and readers join them. */
const MAX_STRING = 255;

export const dkimRecordName = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

/** The TXT record that publishes a key. */
export function dkimRecord(key: DkimKey): string {
  return `v=DKIM1; k=${key.algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'}; p=${publicKeyOf(key)}`;
}

/** The strings of a TXT record. */
export const stringsOf = (record: string): string[] => record.match(new RegExp(`.{1,${MAX_STRING}}`, 'g')) ?? [];
