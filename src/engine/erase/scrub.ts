const ERASED = '[erased]';

/** Shorter ones, such as the number of a chat, would be found everywhere. */
const SHORTEST = 6;

const WORD = `[\\p{L}\\p{N}_%+-]`;

/** Takes addresses out of stored JSON. `patterns` find the texts that may mention one, for `ilike`. */
export interface Scrubber {
  patterns: string[];
  scrub<Value>(value: Value): Value;
}

/** Null: there is no address to look for. */
export function scrubberOf(addresses: readonly string[]): Scrubber | null {
  const long = addresses.filter((address) => address.length >= SHORTEST);
  if (long.length === 0) return null;
  const any = long.map((address) => address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  // Not inside a longer one: the address of another user may end or begin with it.
  const mention = new RegExp(`(?<!${WORD}\\.?)(?:${any})(?!${WORD}|\\.${WORD})`, 'giu');
  return {
    patterns: long.map((address) => `%${address.replace(/[\\%_]/g, '\\$&')}%`),
    scrub: (value) => scrubbed(value, mention) as typeof value,
  };
}

function scrubbed(value: unknown, mention: RegExp): unknown {
  if (typeof value === 'string') return value.replace(mention, ERASED);
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, mention));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.replace(mention, ERASED), scrubbed(item, mention)]),
  );
}
