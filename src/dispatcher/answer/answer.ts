const KEPT_BYTES = 1024;

/**
 * Makes a provider's answer safe to store and show: at most 1 KB, without control characters (PostgreSQL takes no NUL)
 * and without secrets (some servers quote the request).
 */
export function answerOf(text: string, secrets: readonly string[] = []): string {
  // Masking a text of four characters or fewer would hide ordinary words of the answer.
  const masked = secrets
    .filter((secret) => secret.length > 4)
    .reduce((out, secret) => maskEnd(out.replaceAll(secret, '***'), secret), text);
  const line = masked.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  if (Buffer.byteLength(line) <= KEPT_BYTES) return line;
  // The cut may split a character. Its remains decode to U+FFFD.
  return Buffer.from(line)
    .subarray(0, KEPT_BYTES)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
}

/** Masks the beginning of a secret at the end of an answer that was cut. */
function maskEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length > 4; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`;
  }
  return text;
}
