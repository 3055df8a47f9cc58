import { createHash, createHmac } from 'node:crypto';

/** An entry as text, so that the same entry always has the same seal. */
export interface Entry {
  id: string;
  /** Milliseconds since 1970. */
  at: string;
  organizationId: number | null;
  keyId: number | null;
  actor: string;
  requestId: string | null;
  address: string | null;
  verb: string;
  noun: string;
  userId: number | null;
  count: number;
  name: string | null;
  changes: string | null;
}

/** Bytes are in hexadecimal digits. */
export interface SealedEntry extends Entry {
  position: string;
  /** Null: the details were redacted after the entry was sealed. */
  salt: string | null;
  digest: string;
  seal: string;
  /** Whether the user of a redacted entry still exists. */
  userExists: boolean;
}

/** The seal before the first entry of a chain. */
export const NO_SEAL = '';

/** The details are in the seal as a digest with a random salt: they can be redacted later, and the chain stays whole. */
export function digestOf({ name, changes }: Entry, salt: string): string {
  return createHmac('sha256', Buffer.from(salt, 'hex'))
    .update(JSON.stringify([name, changes]))
    .digest('hex');
}

/** Each seal covers the seal before it, so a change of one entry changes all seals after it. */
export function sealOf(entry: Entry, position: string, digest: string, before: string): string {
  const { id, at, organizationId, keyId, actor, requestId, address, verb, noun, userId, count } = entry;
  const who = [organizationId, keyId, actor, requestId, address];
  return createHash('sha256')
    .update(JSON.stringify([before, position, id, at, ...who, verb, noun, userId, count, digest]))
    .digest('hex');
}

/** Returns how an entry differs from what was sealed, or null. `before` is the seal before it; null: unknown, as that entry was deleted. */
export function problemOf(entry: SealedEntry, before: string | null): string | null {
  const { salt, digest, seal, position } = entry;
  if (before !== null && sealOf(entry, position, digest, before) !== seal) return 'it does not match its seal';
  if (salt !== null) return digestOf(entry, salt) === digest ? null : 'its name or its changes were altered';
  const mayBeRedacted = entry.noun === 'suppression' || (entry.userId !== null && !entry.userExists);
  if (!mayBeRedacted) return 'its details were removed, but no deleted user is in it';
  return isRedacted(entry) ? null : 'its details were replaced by others than the redaction';
}

function isRedacted({ noun, name, changes, userId }: Entry): boolean {
  const values = Object.values(JSON.parse(changes ?? '{}') as Record<string, unknown[]>).flat();
  // A suppression belongs to an address, not to a user.
  const end = noun === 'suppression' ? '/[erased]' : `[user ${userId}]`;
  return !!name?.endsWith(end) && values.every((value) => value === null || value === '[redacted]');
}
