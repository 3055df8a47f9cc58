const BYTES = 32;

/** A secret as webhooks are signed with it (Standard Webhooks): `whsec_` and random bytes in base64. */
export function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
