const KEPT_BYTES = 1024;

/**
 * A provider's own words, fit to be stored and shown: at most 1 KB, no control characters (PostgreSQL takes no NUL),
 * and none of the secrets, for there are servers that quote what they were sent.
 */
export function answerOf(text: string, secrets: readonly string[] = []): string {
  // Four characters are no secret, and masking them would make a riddle of the answer.
  const masked = secrets
    .filter((secret) => secret.length > 4)
    .reduce((out, secret) => maskEnd(out.replaceAll(secret, '***'), secret), text);
  const line = masked.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  if (Buffer.byteLength(line) <= KEPT_BYTES) return line;
  // The cut may fall inside a character, whose pieces then read as U+FFFD.
  return Buffer.from(line)
    .subarray(0, KEPT_BYTES)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
}

/** An answer that was cut may end with the beginning of a secret. */
function maskEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length > 4; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`;
  }
  return text;
}
