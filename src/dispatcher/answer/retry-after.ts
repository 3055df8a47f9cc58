const LONGEST_SECONDS = 24 * 60 * 60;

/** How long a `Retry-After` header asks us to wait, at most a day; undefined when it says nothing we understand. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS);
  // Only HTTP dates: Date.parse alone would make a date of nearly anything.
  const at = /^[A-Z][a-z]+, .+ GMT$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(0, Math.ceil((at - now.getTime()) / 1000)), LONGEST_SECONDS);
}
