const MAX_SECONDS = 24 * 60 * 60;

/** The seconds that a `Retry-After` header asks us to wait, at most a day; undefined when the header is not valid. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_SECONDS);
  // Only HTTP dates: Date.parse alone accepts nearly any text.
  const at = /^[A-Z][a-z]+, .+ GMT$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(0, Math.ceil((at - now.getTime()) / 1000)), MAX_SECONDS);
}
