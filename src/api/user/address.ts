import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { NOT_AN_EMAIL, isEmailAddress } from '../../platform/field/email.js';

const MAX_BYTES = 2000;

export interface UserAddress {
  name: string;
  value: string;
}

/** Returns an address in its stored form, or the problem with it. */
export function normalizeAddress(name: string, value: string): { value: string } | { problem: FieldError } {
  const trimmed = value.trim();
  // Counted in bytes: the unique index on addresses cannot hold more.
  if (Buffer.byteLength(name) + Buffer.byteLength(trimmed) > MAX_BYTES)
    return { problem: fieldError('too_long', `must be at most ${MAX_BYTES} bytes long`) };
  if (name === 'email')
    return isEmailAddress(trimmed) ? { value: trimmed } : { problem: fieldError('invalid_format', NOT_AN_EMAIL) };
  if (name === 'phone') {
    const number = trimmed.replace(/[\s().\-/]/g, '');
    return /^\+\d{7,15}$/.test(number)
      ? { value: number }
      : { problem: fieldError('invalid_format', 'must be an international phone number: + and 7 to 15 digits') };
  }
  return trimmed ? { value: trimmed } : { problem: fieldError('blank', 'must not be blank') };
}

/** Returns an address that a DTO has accepted in its stored form, or the errors of each field. */
export function readAddress({ name: given, value }: UserAddress): UserAddress | { errors: FieldErrors } {
  const name = given.trim();
  if (!name) return { errors: { name: [fieldError('blank', 'must not be blank')] } };
  const normal = normalizeAddress(name, value);
  return 'problem' in normal ? { errors: { value: [normal.problem] } } : { name, value: normal.value };
}
