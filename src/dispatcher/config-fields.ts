import { lengthOf } from '../platform/field/text-length.js';
import { problemWithCertificates } from './certificates.js';
import type { ChannelConfig, ConfigField, Dispatcher } from './dispatcher.js';

type Value = string | number | boolean;
type Checked = { config: ChannelConfig } | { errors: Record<string, string[]> };

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
  const errors: [string, string[]][] = Object.keys(config)
    .filter((key) => !fields.some((field) => field.key === key))
    .map((key) => [key, ['is not a setting of this channel type']]);
  for (const field of fields) {
    const value = Object.hasOwn(config, field.key) ? config[field.key] : undefined;
    // A form sends an empty string for a setting that was left empty.
    const unset = value === undefined || value === null || value === '';
    const problem = unset
      ? field.required
        ? 'is required'
        : null
      : (problemWith(field, value) ?? (isStored(field.key, value) ? null : (field.problem?.(value as string) ?? null)));
    if (problem !== null) errors.push([field.key, [problem]]);
    else if (!unset) values.push([field.key, value as Value]);
  }
  return errors.length > 0 ? { errors: Object.fromEntries(errors) } : { config: Object.fromEntries(values) };
}

/** The part of a setting that decides who gets a secret: of a URL, its origin. */
export function destinationOf({ kind }: Pick<ConfigField, 'kind'>, value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  return kind === 'url' && URL.canParse(String(value)) ? new URL(String(value)).origin : value;
}

function problemWith(field: ConfigField, value: unknown): string | null {
  switch (field.kind) {
    case 'integer':
      return problemWithInteger(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'choice':
      return (field.choices ?? []).includes(value as string) ? null : `must be one of ${field.choices?.join(', ')}`;
    case 'url':
      return problemWithString(field, value) ?? problemWithUrl(value as string);
    case 'string':
      return problemWithString(field, value);
    case 'certificates':
      return problemWithText(field, value) ?? problemWithCertificates(value as string);
  }
}

function problemWithInteger({ min = -Infinity, max = Infinity }: ConfigField, value: unknown): string | null {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return null;
  if (min > -Infinity && max < Infinity) return `must be a whole number from ${min} to ${max}`;
  if (min > -Infinity) return `must be a whole number of at least ${min}`;
  return max < Infinity ? `must be a whole number of at most ${max}` : 'must be a whole number';
}

function problemWithString(field: ConfigField, value: unknown): string | null {
  // No other setting needs control characters, and a line break could inject a second header or command.
  if (typeof value === 'string' && /\p{Cc}|\p{Cs}/u.test(value))
    return 'must not contain line breaks or other control characters';
  return problemWithText(field, value);
}

/** For a text, `min` and `max` limit its length. */
function problemWithText({ min = 0, max = MAX_STRING_LENGTH }: ConfigField, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.trim() === '') return 'must not be blank';
  if (lengthOf(value) < min) return `must have at least ${min} characters`;
  return lengthOf(value) > max ? `must have at most ${max} characters` : null;
}

function problemWithUrl(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL that starts with http:// or https://';
  return url.username === '' && url.password === '' ? null : 'must not contain a user name or password';
}
