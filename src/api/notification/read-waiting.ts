import { refuseUnknown } from '../../platform/field/error/closest.js';
import type { AddError } from '../../platform/field/error/field-error.js';
import { durationText, readDuration } from '../../platform/field/duration.js';
import { isObject } from '../../platform/field/is-object.js';
import { readCount } from '../../platform/field/message-limit.js';
import { lengthOf } from '../../platform/field/text-length.js';
import { readDays, readRange, readTime } from '../../platform/field/weekly-range.js';
import type { WeeklyRange } from '../../platform/field/weekly-range.js';
import type { DigestRule, RuleLimit } from '../../rules/ruleset/rule.js';

/** How the messages of a notification wait, and which of them belong together, as it is given. Undefined: unchanged; null: none. */
export interface WaitingFields {
  window?: unknown;
  digest?: unknown;
  limit?: unknown;
  thread?: unknown;
}

/** The stored form. */
interface WaitingSettings {
  sendWindow?: WeeklyRange | null;
  digest?: DigestRule | null;
  messageLimit?: RuleLimit | null;
  thread?: string | null;
}

export const MAX_ITEMS = 1000;
export const DEFAULT_ITEMS = 50;
export const FIRST = ['now', 'wait'] as const;
export const THEN = ['drop', 'digest'] as const;

export const KEY_MAX_LENGTH = 200;
/** Names with dots between them. */
export const KEY = /^[^.\s]+(\.[^.\s]+)*$/;

/** The result is meaningful only if no error was added. */
export function readWaiting({ window, digest, limit, thread }: WaitingFields, addError: AddError): WaitingSettings {
  return {
    sendWindow: isUnset(window) ? window : readRange(window, 'window', addError),
    digest: isUnset(digest) ? digest : readDigest(digest, addError),
    messageLimit: isUnset(limit) ? limit : readRuleLimit(limit, addError),
    thread: isUnset(thread) ? thread : readKey(thread, 'thread', addError).key,
  };
}

const isUnset = (value: unknown): value is null | undefined => value === null || value === undefined;

function readDigest(value: unknown, addError: AddError): DigestRule | null {
  if (!isObject(value)) {
    addError('digest', 'invalid_type', 'must be an object such as { "window": "15m" }');
    return null;
  }
  const { window, schedule, key, max_items: maxItems = DEFAULT_ITEMS, first = 'wait', sliding } = value;
  refuseUnknown(value, ['window', 'schedule', 'key', 'max_items', 'first', 'sliding'], 'digest', addError);
  if ((window === undefined) === (schedule === undefined))
    addError('digest', 'required', 'must have a window or a schedule');
  if (!Number.isInteger(maxItems) || (maxItems as number) < 2 || (maxItems as number) > MAX_ITEMS)
    addError('digest.max_items', 'out_of_range', `must be a whole number from 2 to ${MAX_ITEMS}`);
  if (!FIRST.includes(first as never)) addError('digest.first', 'unknown_value', `must be one of ${FIRST.join(', ')}`);
  if (sliding !== undefined && typeof sliding !== 'boolean')
    addError('digest.sliding', 'invalid_type', 'must be true or false');
  if (sliding === true && window === undefined)
    addError('digest.sliding', 'conflict', 'needs a window: a schedule has fixed times');
  return {
    ...(window !== undefined && { window: readWindow(window, addError) }),
    ...(schedule !== undefined && { schedule: readSchedule(schedule, addError) }),
    ...readKey(key, 'digest.key', addError),
    max_items: maxItems as number,
    first: first as DigestRule['first'],
    ...(sliding === true && { sliding }),
  };
}

function readWindow(value: unknown, addError: AddError): number {
  const read = readDuration(value);
  if ('seconds' in read) return read.seconds;
  addError('digest.window', 'invalid_format', read.problem);
  return 0;
}

function readSchedule(value: unknown, addError: AddError): NonNullable<DigestRule['schedule']> {
  if (!isObject(value)) {
    addError('digest.schedule', 'invalid_type', 'must be an object such as { "at": "09:00" }');
    return { days: [], at: '' };
  }
  refuseUnknown(value, ['days', 'at'], 'digest.schedule', addError);
  return {
    days: readDays(value.days, 'digest.schedule.days', addError),
    at: readTime(value.at, 'digest.schedule.at', addError),
  };
}

function readRuleLimit(value: unknown, addError: AddError): RuleLimit {
  const limit = readCount(value, 'limit', addError);
  if (!isObject(value)) return { ...limit, then: 'drop' };
  refuseUnknown(value, ['count', 'per', 'key', 'then'], 'limit', addError);
  const { key, then = 'drop' } = value;
  if (!THEN.includes(then as never)) addError('limit.then', 'unknown_value', `must be one of ${THEN.join(', ')}`);
  return { ...limit, ...readKey(key, 'limit.key', addError), then: then as RuleLimit['then'] };
}

function readKey(value: unknown, field: string, addError: AddError): { key?: string } {
  if (value === undefined) return {};
  if (typeof value === 'string' && KEY.test(value) && lengthOf(value) <= KEY_MAX_LENGTH) return { key: value };
  addError(
    field,
    'invalid_format',
    `must be a field of the context, such as order.id, of at most ${KEY_MAX_LENGTH} characters`,
  );
  return {};
}

/** A digest as files and requests write it: its window is `15m`, not a number of seconds. */
type DigestText = Omit<DigestRule, 'window'> & { window?: string };

export const digestText = ({ window, ...digest }: DigestRule): DigestText => ({
  ...(window !== undefined && { window: durationText(window) }),
  ...digest,
});
