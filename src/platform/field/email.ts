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

// How PostgreSQL compares addresses, with the functions `address_key` and `suppression_key` of the migrations.

/** SQL for whom a message is about to go to. */
interface SuppressedSql {
  organization: string;
  /** The project of the event. */
  project: string;
  addressKind: string;
  address: string;
}

/**
 * A condition that selects the suppressions of an address that have not expired: those of the organization and those of the project. Rows
 * that were stored before 1.0.0-rc.1 may have the address in lower case where `address_key` differs.
 */
export const suppresses = (table: string, { organization, project, addressKind, address }: SuppressedSql) =>
  `${table}.organization_id = ${organization} and ${table}.name = ${addressKind}
        and ${table}.value_key in (address_key(${address}), lower(${address}), suppression_key(${address}, ${project}))
        and (${table}.expires_at is null or ${table}.expires_at > now())`;

/** SQL for the keys of an address in all projects of an organization. */
export const allKeysOf = (address: string, organization: string) => `(array[address_key(${address}), lower(${address})]
        || array(select suppression_key(${address}, p.id) from projects p where p.organization_id = ${organization}))`;
