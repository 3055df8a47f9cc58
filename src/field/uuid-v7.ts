import { randomUUID } from 'node:crypto';

const MAX_TIME = 2 ** 48 - 1;

/**
 * RFC 9562: a 48-bit time, then randomness. Rows made one after the other lie side by side in their index. The randomness, and
 * the variant, are those of a UUIDv4: Node keeps some of them ready, and asking the system each time costs ten times as much.
 */
export function uuidV7(now = Date.now()): string {
  const time = within48Bits(now).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Lies between the UUIDv7s made before this time and those made since. */
export function uuidBound(time: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(within48Bits(time), 0, 6);
  return written(bytes);
}

/** A UUID of any version, written as PostgreSQL writes it. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

function within48Bits(time: number): number {
  return Math.min(Math.max(time, 0), MAX_TIME);
}

function written(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
