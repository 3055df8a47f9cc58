import { createECDH } from 'node:crypto';
import type { ChannelConfig } from '../dispatcher.js';

const PUBLIC_KEY_BYTES = 65;
const PRIVATE_KEY_BYTES = 32;

/** Checks the keys and the subject that identify a sender to push services (RFC 8292). Returns the problem, or null. */
export function problemWithVapid({ public_key, private_key, subject }: ChannelConfig): string | null {
  const publicKey = bytesOf(String(public_key));
  const privateKey = bytesOf(String(private_key));
  if (publicKey?.length !== PUBLIC_KEY_BYTES) return `public_key must be ${PUBLIC_KEY_BYTES} bytes in base64url`;
  if (privateKey?.length !== PRIVATE_KEY_BYTES) return `private_key must be ${PRIVATE_KEY_BYTES} bytes in base64url`;
  if (!isPair(publicKey, privateKey)) return 'public_key and private_key must belong together';
  const isContact = /^(mailto:|https:\/\/)./.test(String(subject)) && URL.canParse(String(subject));
  return isContact ? null : 'subject must be a mailto: or https: URL';
}

function bytesOf(text: string): Buffer | null {
  return /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : null;
}

function isPair(publicKey: Buffer, privateKey: Buffer): boolean {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(privateKey);
  } catch {
    return false;
  }
  return curve.getPublicKey().equals(publicKey);
}
