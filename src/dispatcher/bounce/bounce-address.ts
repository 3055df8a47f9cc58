import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../../platform/secret/signed-bytes.js';
import { domainOf } from '../email/address.js';

/** 60 bits in base 32: with the reference, 64 characters, which is the most that the local part of an address may have. */
const MAC_LENGTH = 12;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

const LOCAL = new RegExp(
  `^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_(\\d{1,18})_([a-z2-7]{${MAC_LENGTH}})$`,
);

/**
 * Makes and reads the envelope senders of mails: each mail has one of its own (VERP), so a report that comes back to it names the mail,
 * whatever else it says. The MAC also covers the domain. Upper and lower case do not matter: some servers change them. The key is derived
 * from the key that encrypts secrets; addresses of the previous key are valid as long as it is set.
 */
export class BounceAddresses {
  private readonly keys: readonly [Buffer, ...Buffer[]];

  constructor(secretKey: Buffer, previous: Buffer | null = null) {
    const keyFrom = (key: Buffer) => derivedKey('bounce', key);
    this.keys = [keyFrom(secretKey), ...(previous ? [keyFrom(previous)] : [])];
  }

  /** The address for a message. The test of a channel is a message without a delivery. */
  of(messageId: string, domain: string): string {
    const [occurrence = '', delivery = '0'] = messageId.split('.');
    const named = `${occurrence.replaceAll('-', '')}_${delivery}`;
    return `${named}_${macOf(this.keys[0], named, domain)}@${domain}`;
  }

  /** The reference of the message that an address belongs to (`referenceOf`); null: it is not one of ours. */
  referenceIn(address: string): string | null {
    const lower = address.toLowerCase();
    const domain = domainOf(lower);
    const parts = LOCAL.exec(lower.slice(0, -domain.length - 1));
    if (!parts) return null;
    const [delivery, mac] = parts.slice(6) as [string, string];
    const named = `${parts.slice(1, 6).join('')}_${delivery}`;
    const isOurs = this.keys.some((key) => timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, named, domain))));
    return isOurs ? `${parts.slice(1, 6).join('-')}_${delivery}` : null;
  }
}

function macOf(key: Buffer, named: string, domain: string): string {
  const digest = createHmac('sha256', key).update(`${named}@${domain}`).digest();
  let mac = '';
  // Five bits of each byte are as hard to guess as five in a row.
  for (let i = 0; i < MAC_LENGTH; i++) mac += LETTERS[digest[i]! & 31];
  return mac;
}
