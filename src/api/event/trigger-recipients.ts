import { addTo, fieldError } from '../../platform/field/error/field-error.js';
import type { AddError, FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { lengthOf } from '../../platform/field/text-length.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { MAX_RECIPIENTS } from '../../rules/ruleset/named.js';
import { readUser } from '../user/user.read.js';
import type { UserFields } from '../user/user.read.js';
import { RecipientDto } from './trigger.dto.js';
import type { TriggerOptionsDto } from './trigger.dto.js';

type Recipients = NonNullable<TriggerOptionsDto['recipients']>;

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

/** The users that a trigger creates or changes. */
export interface RecipientFields extends UserFields {
  /** Its place in the body, for errors: `options.recipients[3]`. */
  place: string;
}

/** Whether the check needs to know the time zones. */
export const namesTimeZones = (body: unknown): boolean =>
  isObject(body) &&
  isObject(body.options) &&
  Array.isArray(body.options.recipients) &&
  body.options.recipients.some((recipient) => isObject(recipient) && recipient.time_zone);

/** Reads the recipients that are objects. Only their own fields have been accepted if no error was added. */
export function readRecipients(
  recipients: Recipients,
  zones: ReadonlyMap<string, string>,
  errors: FieldErrors,
): RecipientFields[] {
  const users: RecipientFields[] = [];
  const addError = addTo(errors);
  for (const [i, recipient] of recipients.entries()) {
    if (Object.keys(errors).length >= MAX_ERRORS) break;
    if (typeof recipient === 'string') continue;
    const place = `options.recipients[${i}]`;
    const add: AddError = (field, code, sentence) => addError(`${place}.${field}`, code, sentence);
    users.push({ ...readUser(RecipientDto, recipient, zones, add), place });
  }
  return users;
}

/** The options as an occurrence stores them: with usernames alone. Its files are still those of the trigger. */
export function withNames(options: TriggerOptionsDto): TriggerOptions {
  if (!options.recipients?.some((recipient) => typeof recipient !== 'string')) return options as TriggerOptions;
  const recipients = options.recipients.map((each) => (typeof each === 'string' ? each : each.email));
  return { ...(options as TriggerOptions), recipients };
}
