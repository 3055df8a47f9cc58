import { notKnown, unknownField } from '../../platform/field/error/closest.js';
import { dateTimeProblem, localTimeProblem } from '../../platform/field/date-time.js';
import { readLocale } from '../../platform/field/region/locale.js';
import { lengthOf } from '../../platform/field/text-length.js';
import { isObject } from '../../platform/field/is-object.js';
import { invalid, invalidField } from '../../platform/http/problem.js';
import { MAX_NAMED, fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { PRIORITIES } from '../../platform/queue/priority.js';
import type { Priority } from '../../platform/queue/priority.js';
import { firstSendTime } from '../../platform/send-at.js';
import { attachmentErrors } from '../attachment/read-attachments.js';
import { readRecipients, recipientsProblem } from './trigger-recipients.js';
import type { RecipientFields } from './trigger-recipients.js';
import { MAX_THREAD } from './trigger.dto.js';
import type { TriggerOptionsDto } from './trigger.dto.js';

export interface TriggerBody {
  context: Record<string, unknown>;
  options: TriggerOptionsDto;
  /** The recipients that are objects. */
  users: RecipientFields[];
}

/** A check for each field. It returns the problem with the value, or null. */
export type FieldChecks = Record<string, (value: unknown) => FieldError | null>;

const MAX_CHANNELS = 100;
const MAX_LIMIT_TO = 10_000;

/**
 * Reads the body of a trigger. It is checked by hand: this is the busiest path, and the validation pipe costs 160 us a request.
 * `extraFields`: further fields that the body may have. `zones`: the known time zones, if the recipients have any.
 */
export function readTriggerBody(
  body: unknown,
  extraFields: FieldChecks = {},
  zones: ReadonlyMap<string, string> = new Map(),
): TriggerBody {
  if (body === undefined) return { context: {}, options: {}, users: [] };
  if (!isObject(body)) throw invalidField('body', 'invalid_type', 'must be a JSON object');
  const errors: FieldErrors = {};
  for (const key of Object.keys(body).slice(0, MAX_NAMED)) {
    if (key === 'context' || key === 'options') continue;
    const problem = Object.hasOwn(extraFields, key) ? extraFields[key]!(body[key]) : unknown(key, extraFields);
    if (problem) errors[key] = [problem];
  }
  const { context = {}, options = {} } = body;
  if (!isObject(context)) errors.context = [fieldError('invalid_type', 'must be an object')];
  if (!isObject(options)) errors.options = [fieldError('invalid_type', 'must be an object')];
  else Object.assign(errors, optionErrors(options));
  const { recipients }: TriggerOptionsDto = isObject(options) ? options : {};
  const users = recipients && !errors['options.recipients'] ? readRecipients(recipients, zones, errors) : [];
  if (hasErrors(errors)) throw invalid(errors);
  return {
    context: context as TriggerBody['context'],
    options: storedOptions(options as TriggerBody['options']),
    users,
  };
}

/** With the locale in its canonical spelling. */
function storedOptions(options: TriggerOptionsDto): TriggerOptionsDto {
  const read = options.locale === undefined ? null : readLocale(options.locale);
  return read && 'locale' in read ? { ...options, locale: read.locale } : options;
}

function unknown(key: string, extraFields: FieldChecks): FieldError {
  if (Object.hasOwn(OPTIONS, key)) return notKnown(`options.${key}`);
  return unknownField(key, ['context', 'options', ...Object.keys(extraFields)]);
}

const ROOMS_ONLY = fieldError('unknown_value', 'must be true: leave it out to post to rooms only without limit_to');

const OPTIONS: Record<keyof TriggerOptionsDto, (value: unknown) => FieldError | null> = {
  channels: (value) => textListProblem(value, MAX_CHANNELS, 'channels or channel types'),
  recipients: recipientsProblem,
  limit_to: (value) => textListProblem(value, MAX_LIMIT_TO, 'e-mails or usernames'),
  rooms: (value) => (value === true ? null : ROOMS_ONLY),
  send_at: sendAtProblem,
  expires_at: dateTimeProblem,
  priority: (value) =>
    PRIORITIES.includes(value as Priority)
      ? null
      : fieldError('unknown_value', `must be one of ${PRIORITIES.join(', ')}`),
  // Checked file by file, below.
  attachments: () => null,
  locale: (value) => {
    const read = readLocale(value);
    return 'problem' in read ? fieldError('invalid_format', read.problem) : null;
  },
  resolves_thread: (value) =>
    typeof value === 'string' && value !== '' && lengthOf(value) <= MAX_THREAD
      ? null
      : fieldError('invalid_type', `must be a text of 1 to ${MAX_THREAD} characters`),
};

function optionErrors(options: Record<string, unknown>): FieldErrors {
  const errors: FieldErrors = {};
  let unknownLeft = MAX_NAMED;
  for (const [key, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, key) && unknownLeft-- <= 0) continue;
    // Ignoring an unknown option could send messages to the wrong users.
    const problem = Object.hasOwn(OPTIONS, key)
      ? OPTIONS[key as keyof TriggerOptionsDto](value)
      : unknownField(key, Object.keys(OPTIONS));
    if (problem) errors[`options.${key}`] = [problem];
  }
  const { send_at: sendAt, expires_at: expiresAt } = options as TriggerOptionsDto;
  if (options.attachments !== undefined) Object.assign(errors, attachmentErrors(options.attachments));
  if (!errors['options.send_at'] && !errors['options.expires_at'] && sendAt && expiresAt) {
    if (Date.parse(expiresAt) <= firstSendTime(sendAt))
      errors['options.expires_at'] = [fieldError('out_of_range', 'must be later than send_at')];
  }
  return errors;
}

/** An instant, or `{ local }`: a time on the clock of each user. */
function sendAtProblem(value: unknown): FieldError | null {
  if (!isObject(value)) return dateTimeProblem(value);
  const more = Object.keys(value).find((key) => key !== 'local');
  const name = more ?? 'local';
  const problem = more === undefined ? localTimeProblem(value.local) : unknownField(more, ['local']);
  return problem && { ...problem, sentence: `${name} ${problem.sentence}` };
}

function textListProblem(value: unknown, max: number, what: string): FieldError | null {
  const good =
    Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '' && lengthOf(item) <= 254);
  if (!good) return fieldError('invalid_type', `must be an array of ${what}, each a text of 1 to 254 characters`);
  if (value.length === 0) return fieldError('required', 'must not be empty: leave it out to mean everyone');
  return value.length > max ? fieldError('too_many', `must hold at most ${max} ${what}`) : null;
}
