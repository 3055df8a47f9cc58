import { NOT_AN_EMAIL, isEmailAddress } from '../../platform/field/email.js';

const MAX_BYTES = 2000;

/** Returns an address in its stored form, or the problem with it. */
export function normalizeAddress(name: string, value: string): { value: string } | { problem: string } {
  const trimmed = value.trim();
  // Counted in bytes: the unique index on addresses cannot hold more.
  if (Buffer.byteLength(name) + Buffer.byteLength(trimmed) > MAX_BYTES)
    return { problem: `must be at most ${MAX_BYTES} bytes long` };
  if (name === 'email') return isEmailAddress(trimmed) ? { value: trimmed } : { problem: NOT_AN_EMAIL };
  if (name === 'phone') {
    const number = trimmed.replace(/[\s().\-/]/g, '');
    return /^\+\d{7,15}$/.test(number)
      ? { value: number }
      : { problem: 'must be an international phone number: + and 7 to 15 digits' };
  }
  return trimmed ? { value: trimmed } : { problem: 'must not be blank' };
}
