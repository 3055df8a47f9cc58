import { createHmac } from 'node:crypto';

/**
 * The `webhook-signature` header of Standard Webhooks: one `v1,...` for each valid secret, so that a receiver can change
 * its secret without losing a message.
 */
export function signatureOf(id: string, timestamp: number, body: string, secrets: readonly string[]): string {
  const signed = `${id}.${timestamp}.${body}`;
  return secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`).join(' ');
}

const ENCODED = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_BYTES = 24;

/**
 * What is wrong with a new secret. Verifiers of Standard Webhooks read every secret as standard base64, with or without the prefix, so
 * any other form would be signed with another key than theirs.
 */
export function problemWithSigningSecret(secret: string): string | null {
  const encoded = ENCODED.exec(secret)?.[1];
  if (encoded === undefined)
    return 'must be whsec_ and then base64 with + and /, as from: echo "whsec_$(openssl rand -base64 32)". Encode a secret that is text';
  if (Buffer.from(encoded, 'base64').length >= MIN_BYTES) return null;
  return `is too short: its base64 must have at least ${MIN_BYTES} bytes`;
}

/** Earlier releases accepted any text and signed with it. Secrets that were stored then keep their key. */
function keyOf(secret: string): Buffer {
  const encoded = ENCODED.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
}
