import { refuseUnknown } from '../../platform/field/error/closest.js';
import { addTo, fieldError } from '../../platform/field/error/field-error.js';
import type { AddError, FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { NOT_AN_EMAIL, isEmailAddress } from '../../platform/field/email.js';
import { isObject } from '../../platform/field/is-object.js';
import { lengthOf } from '../../platform/field/text-length.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { MAX_RECIPIENTS } from '../../rules/ruleset/named.js';
import { normalizeAddress } from '../user/address.js';
import type { UserFields } from '../user/put-users.js';
import { USER_NAME_MAX_LENGTH } from '../user/user.dto.js';
import type { RecipientDto, TriggerOptionsDto } from './trigger.dto.js';

type Recipients = NonNullable<TriggerOptionsDto['recipients']>;

const FIELDS = ['email', 'first_name', 'last_name', 'custom_fields', 'time_zone', 'addresses'];
const MAX_ADDRESSES = 20;
/** The most errors in one answer. */
const MAX_ERRORS = 20;

/** The problem with the list as a whole, or null. */
export function recipientsProblem(value: unknown): FieldError | null {
  const isOne = (item: unknown) => isObject(item) || (typeof item === 'string' && item !== '' && lengthOf(item) <= 254);
  if (!Array.isArray(value) || !value.every(isOne))
    return fieldError(
      'invalid_type',
      'must be an array of usernames, each a text of 1 to 254 characters, or of objects such as { "email": "ann@example.com" }',
    );
  if (value.length === 0) return fieldError('required', 'must not be empty: it is the list of everyone who is meant');
  return value.length > MAX_RECIPIENTS
    ? fieldError('too_many', `must hold at most ${MAX_RECIPIENTS} recipients`)
    : null;
}

/** The errors of recipients that are objects. Their time zones are checked later: PostgreSQL knows them. */
export function recipientErrors(recipients: Recipients): FieldErrors {
  const errors: FieldErrors = {};
  for (const [i, recipient] of recipients.entries()) {
    if (Object.keys(errors).length >= MAX_ERRORS) break;
    if (typeof recipient === 'string') continue;
    const place = `options.recipients[${i}]`;
    checkRecipient(recipient as unknown as Record<string, unknown>, place, addTo(errors));
  }
  return errors;
}

function checkRecipient(recipient: Record<string, unknown>, place: string, addError: AddError): void {
  refuseUnknown(recipient, FIELDS, place, addError);
  if (!isEmailAddress(recipient.email)) addError(`${place}.email`, 'invalid_format', NOT_AN_EMAIL);
  for (const field of ['first_name', 'last_name']) {
    const name = recipient[field];
    if (name !== undefined && (typeof name !== 'string' || lengthOf(name) > USER_NAME_MAX_LENGTH))
      addError(`${place}.${field}`, 'too_long', `must be a text of at most ${USER_NAME_MAX_LENGTH} characters`);
  }
  if (recipient.custom_fields !== undefined && !isObject(recipient.custom_fields))
    addError(`${place}.custom_fields`, 'invalid_type', 'must be an object');
  if (recipient.addresses !== undefined) checkAddresses(recipient.addresses, `${place}.addresses`, addError);
}

function checkAddresses(value: unknown, place: string, addError: AddError): void {
  if (!Array.isArray(value) || value.length > MAX_ADDRESSES)
    return addError(place, 'invalid_type', `must be an array of at most ${MAX_ADDRESSES} addresses`);
  for (const [i, address] of value.entries()) {
    const problem = addressProblem(address);
    if (problem) addError(`${place}[${i}]`, problem.code, problem.sentence);
  }
}

function addressProblem(address: unknown): FieldError | null {
  if (!isObject(address))
    return fieldError('invalid_type', 'must be an object such as { "name": "phone", "value": "+15551234567" }');
  const { name, value, ...others } = address;
  if (typeof name !== 'string' || name.trim() === '' || lengthOf(name) > 50)
    return fieldError('required', 'needs a name of 1 to 50 characters');
  if (typeof value !== 'string' || value === '' || lengthOf(value) > 750)
    return fieldError('required', 'needs a value of 1 to 750 characters');
  if (Object.keys(others).length > 0)
    return fieldError('unknown_field', 'must have a name and a value, and nothing else');
  const normal = normalizeAddress(name.trim(), value);
  return 'problem' in normal ? normal.problem : null;
}

/** The options as an occurrence stores them, with usernames alone, and the users that the trigger creates or changes. */
export function splitRecipients(options: TriggerOptionsDto): { stored: TriggerOptions; users: UserFields[] } {
  const { recipients } = options;
  const objects = recipients?.filter((recipient) => typeof recipient !== 'string') ?? [];
  if (objects.length === 0) return { stored: options as TriggerOptions, users: [] };
  const names = recipients!.map((recipient) => (typeof recipient === 'string' ? recipient : recipient.email));
  return { stored: { ...options, recipients: names }, users: objects.map(normalized) };
}

const normalized = ({ addresses, ...user }: RecipientDto): UserFields => ({
  ...user,
  addresses: addresses?.map(({ name, value }) => ({ name: name.trim(), value: storedValue(name.trim(), value) })),
});

function storedValue(name: string, value: string): string {
  const normal = normalizeAddress(name, value);
  return 'value' in normal ? normal.value : value;
}
