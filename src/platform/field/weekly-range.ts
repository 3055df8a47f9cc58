import { refuseUnknown } from './error/closest.js';
import type { AddError } from './error/field-error.js';
import { isObject } from './is-object.js';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

/** A range of each of these days, by a local clock: `22:00` to `07:00`. If it ends before it begins, it ends on the next day. */
export interface WeeklyRange {
  /** In the order of the week, each once. */
  days: Day[];
  from: string;
  to: string;
}

export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
/** `24:00` is the end of the day. */
export const END_OF_RANGE = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

export const MAX_RANGES = 20;

const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const LEAST_FREE_MINUTES = 60;

/** The range in its stored form. It is meaningful only if no error was added. */
export function readRange(value: unknown, field: string, addError: AddError): WeeklyRange {
  const range: WeeklyRange = { days: [...DAYS], from: '00:00', to: '24:00' };
  if (!isObject(value)) {
    addError(field, 'invalid_type', 'must be an object such as { "from": "22:00", "to": "07:00" }');
    return range;
  }
  refuseUnknown(value, ['days', 'from', 'to'], field, addError);
  range.days = readDays(value.days, `${field}.days`, addError);
  range.from = readTime(value.from, `${field}.from`, addError);
  range.to = readTime(value.to, `${field}.to`, addError, END_OF_RANGE);
  if (range.from === range.to && TIME_OF_DAY.test(range.from))
    addError(`${field}.to`, 'conflict', 'must not be the time at which it begins: for a whole day use 00:00 to 24:00');
  return range;
}

/** Ranges that messages wait in, in their stored form. */
export function readQuietHours(value: unknown, field: string, addError: AddError): WeeklyRange[] {
  if (!Array.isArray(value) || value.length > MAX_RANGES) {
    addError(
      field,
      'invalid_type',
      `must be a list of at most ${MAX_RANGES} ranges such as { "from": "22:00", "to": "07:00" }`,
    );
    return [];
  }
  let isGood = true;
  const ranges = value.map((range: unknown, i) =>
    readRange(range, `${field}[${i}]`, (...error) => {
      isGood = false;
      addError(...error);
    }),
  );
  if (isGood && freeMinutes(ranges) < LEAST_FREE_MINUTES)
    addError(
      field,
      'not_allowed',
      'must leave at least one hour of the week free: otherwise nothing could ever be sent',
    );
  return ranges;
}

/** Left out: every day. */
export function readDays(value: unknown, field: string, addError: AddError): Day[] {
  if (value === undefined) return [...DAYS];
  const isGood = Array.isArray(value) && value.length > 0 && value.every((day) => DAYS.includes(day as Day));
  if (!isGood)
    addError(field, 'unknown_value', `must be a list of days: ${DAYS.join(', ')}. Leave it out for every day`);
  return isGood ? DAYS.filter((day) => value.includes(day)) : [];
}

export function readTime(value: unknown, field: string, addError: AddError, pattern = TIME_OF_DAY): string {
  if (typeof value === 'string' && pattern.test(value)) return value;
  addError(field, 'invalid_format', `must be a time such as 09:30${pattern === END_OF_RANGE ? ', or 24:00' : ''}`);
  return '';
}

function freeMinutes(ranges: WeeklyRange[]): number {
  const taken = new Set<number>();
  for (const { days, from, to } of ranges) {
    const [start, end] = [minutesOf(from), minutesOf(to)];
    const length = end > start ? end - start : end - start + DAY_MINUTES;
    for (const day of days) {
      const begin = DAYS.indexOf(day) * DAY_MINUTES + start;
      for (let i = 0; i < length; i++) taken.add((begin + i) % WEEK_MINUTES);
    }
  }
  return WEEK_MINUTES - taken.size;
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
