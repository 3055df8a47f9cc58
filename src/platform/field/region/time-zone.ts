/**
 * Area and place. Names without a slash are refused, except `UTC`: PostgreSQL takes `CET` for an abbreviation without summer time. So are
 * offsets such as `+01:00`, which do not change with the clock.
 */
const NAME = /^([A-Za-z][\w+-]*(\/[\w+-]+)+|UTC)$/;

const NOT_A_ZONE = 'must be the name of a time zone, such as Europe/Rome, America/New_York or UTC';

/** The name in its usual spelling, or the problem with it. `known`: the names that PostgreSQL knows, by their lower case. */
export function readTimeZone(
  value: unknown,
  known: ReadonlyMap<string, string>,
): { timeZone: string } | { problem: string } {
  const name = typeof value === 'string' && NAME.test(value) ? known.get(value.toLowerCase()) : undefined;
  return name !== undefined && isZone(name) ? { timeZone: name } : { problem: NOT_A_ZONE };
}

/** Whether this Node.js knows it too. PostgreSQL also lists copies such as `posix/Europe/Rome`. */
function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
