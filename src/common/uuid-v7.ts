import { randomBytes } from 'node:crypto';

const MAX_TIME = 2 ** 48 - 1;

/** RFC 9562: a 48-bit time, then randomness. Rows made one after the other lie side by side in their index. */
export function uuidV7(now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(within48Bits(now), 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return written(bytes);
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
