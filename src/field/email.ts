import { isEmail, registerDecorator } from 'class-validator';
import { lengthOf } from './text-length.js';

export const EMAIL_MAX_LENGTH = 254;

/**
 * Accepts one plain address. Refuses quoted local parts, and characters that could turn it into two addresses in a mail header.
 */
export function isEmailAddress(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    lengthOf(value) <= EMAIL_MAX_LENGTH &&
    !/[\s",;:<>()[\]\\]/.test(value) &&
    isEmail(value)
  );
}

/** E-mails are compared in this form: to keep them unique in an organization, and to find the user that a path names. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

export const NOT_AN_EMAIL = `must be an e-mail address of at most ${EMAIL_MAX_LENGTH} characters, such as ann@example.com`;

export function IsEmailAddress(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isEmailAddress',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: { validate: isEmailAddress, defaultMessage: () => NOT_AN_EMAIL },
    });
}
