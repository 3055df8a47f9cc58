import { randomUUID } from 'node:crypto';

const MAX_TIME = 2 ** 48 - 1;

/**
 * RFC 9562: a 48-bit time, then random bits. Rows created together are therefore adjacent in their index. The random bits and
 * the variant come from `randomUUID`: Node caches random bytes for it, and asking the system each time costs ten times as much.
 */
export function uuidV7(now = Date.now()): string {
  const time = within48Bits(now).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Sorts after every UUIDv7 created before this time, and before every one created since. */
export function uuidBound(time: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(within48Bits(time), 0, 6);
  return formatUuid(bytes);
}

/** Whether the text is a UUID of any version, in the format of PostgreSQL. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

function within48Bits(time: number): number {
  return Math.min(Math.max(time, 0), MAX_TIME);
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
