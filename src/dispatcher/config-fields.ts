import { suggest } from '../platform/field/error/closest.js';
import { MAX_NAMED, fieldError } from '../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../platform/field/error/field-error.js';
import { lengthOf } from '../platform/field/text-length.js';
import { problemWithCertificates } from './certificates.js';
import type { ChannelConfig, ConfigField, Dispatcher } from './dispatcher.js';

type Value = string | number | boolean;
type Checked = { config: ChannelConfig } | { errors: FieldErrors };

const MAX_STRING_LENGTH = 2000;

/** Settings that every channel has, whatever its type. */
const COMMON_FIELDS: readonly ConfigField[] = [
  {
    key: 'rate',
    label: 'Messages per second',
    kind: 'integer',
    required: false,
    secret: false,
    min: 1,
    max: 100_000,
    help: 'Limit for all workers together. Unset: no limit',
  },
  {
    key: 'fallback_after',
    label: 'Minutes until the fallback',
    kind: 'integer',
    required: false,
    secret: false,
    min: 1,
    max: 20 * 60,
    help: 'For a channel with a fallback: how long a message waits while the channel fails, before the fallback sends it. Unset: until all attempts are used up, 21 hours',
  },
];

/** All settings of a channel of this type. */
export function fieldsOf({ fields }: Dispatcher): readonly ConfigField[] {
  return [...fields, ...COMMON_FIELDS];
}

/**
 * Checks a channel's settings against its dispatcher's fields. Returns the values that are set, or the errors by setting. `isStored`:
 * whether the setting has this value already.
 */
export function checkConfig(
  fields: readonly ConfigField[],
  config: Readonly<Record<string, unknown>>,
  isStored: (key: string, value: unknown) => boolean = () => false,
): Checked {
  const values: [string, Value][] = [];
  const names = fields.map(({ key }) => key);
  const errors: [string, FieldError[]][] = Object.keys(config)
    .filter((key) => !names.includes(key))
    .slice(0, MAX_NAMED)
    .map((key) => [key, [fieldError('unknown_field', `is not a setting of this channel type${suggest(key, names)}`)]]);
  for (const field of fields) {
    const value = Object.hasOwn(config, field.key) ? config[field.key] : undefined;
    // A form sends an empty string for a setting that was left empty.
    const unset = value === undefined || value === null || value === '';
    const problem = unset
      ? field.required
        ? fieldError('required', 'is required')
        : null
      : (problemWith(field, value) ?? (isStored(field.key, value) ? null : ownProblem(field, value as string)));
    if (problem !== null) errors.push([field.key, [problem]]);
    else if (!unset) values.push([field.key, value as Value]);
  }
  return errors.length > 0 ? { errors: Object.fromEntries(errors) } : { config: Object.fromEntries(values) };
}

const formatProblem = (sentence: string | null): FieldError | null =>
  sentence === null ? null : fieldError('invalid_format', sentence);

const ownProblem = (field: ConfigField, value: string) => formatProblem(field.problem?.(value) ?? null);

/** The part of a setting that decides who gets a secret: of a URL, its origin. */
export function destinationOf({ kind }: Pick<ConfigField, 'kind'>, value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  return kind === 'url' && URL.canParse(String(value)) ? new URL(String(value)).origin : value;
}

function problemWith(field: ConfigField, value: unknown): FieldError | null {
  switch (field.kind) {
    case 'integer':
      return problemWithInteger(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? null : fieldError('invalid_type', 'must be true or false');
    case 'choice':
      return (field.choices ?? []).includes(value as string)
        ? null
        : fieldError('unknown_value', `must be one of ${field.choices?.join(', ')}`);
    case 'url':
      return problemWithString(field, value) ?? problemWithUrl(value as string);
    case 'string':
      return problemWithString(field, value);
    case 'private_key':
    case 'text':
      return problemWithText(field, value);
    case 'certificates':
      return problemWithText(field, value) ?? formatProblem(problemWithCertificates(value as string));
  }
}

function problemWithInteger({ min = -Infinity, max = Infinity }: ConfigField, value: unknown): FieldError | null {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return null;
  if (min === -Infinity && max === Infinity) return fieldError('invalid_type', 'must be a whole number');
  const range =
    min === -Infinity ? `of at most ${max}` : max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
  return fieldError(typeof value === 'number' ? 'out_of_range' : 'invalid_type', `must be a whole number ${range}`);
}

function problemWithString(field: ConfigField, value: unknown): FieldError | null {
  // No other setting needs control characters, and a line break could inject a second header or command.
  if (typeof value === 'string' && /\p{Cc}|\p{Cs}/u.test(value))
    return fieldError('invalid_format', 'must not contain line breaks or other control characters');
  return problemWithText(field, value);
}

/** For a text, `min` and `max` limit its length. */
function problemWithText({ min = 0, max = MAX_STRING_LENGTH }: ConfigField, value: unknown): FieldError | null {
  if (typeof value !== 'string') return fieldError('invalid_type', 'must be a string');
  if (value.trim() === '') return fieldError('blank', 'must not be blank');
  if (lengthOf(value) < min) return fieldError('too_short', `must have at least ${min} characters`);
  return lengthOf(value) > max ? fieldError('too_long', `must have at most ${max} characters`) : null;
}

function problemWithUrl(value: string): FieldError | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return fieldError('invalid_format', 'must be a URL that starts with http:// or https://');
  return url.username === '' && url.password === ''
    ? null
    : fieldError('not_allowed', 'must not contain a user name or password');
}
