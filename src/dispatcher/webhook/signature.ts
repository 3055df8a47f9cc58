import { createHmac } from 'node:crypto';

/**
 * The `webhook-signature` header of Standard Webhooks: one `v1,...` for each valid secret, so that a receiver can change
 * its secret without losing a message.
 */
export function signatureOf(id: string, timestamp: number, body: string, secrets: readonly string[]): string {
  const signed = `${id}.${timestamp}.${body}`;
  return secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`).join(' ');
}

/** A secret with the prefix `whsec_` is base64; any other secret is used as text. */
function keyOf(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
}
