import { fieldError } from './error/field-error.js';
import type { FieldError } from './error/field-error.js';

// RFC 3339 with a time zone: without a zone, the same text means a different time on each machine. JavaScript would accept 24:00, which
// RFC 3339 does not know, and refuses leap seconds (:60): no clock of the service ever shows either.
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;

/** Returns the problem with a time, or null. */
export function dateTimeProblem(value: unknown): FieldError | null {
  const good =
    typeof value === 'string' && DATE_TIME.test(value) && isYear(Date.parse(value)) && isDay(value.slice(0, 10));
  return good ? null : fieldError('invalid_format', 'must be a time with its zone, such as 2030-01-01T08:00:00Z');
}

// The same without the zone: each clock shows it at its own time.
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/;

/** Returns the problem with a time on a clock, or null. */
export function localTimeProblem(value: unknown): FieldError | null {
  const good = typeof value === 'string' && LOCAL_TIME.test(value) && isDay(value.slice(0, 10));
  return good ? null : fieldError('invalid_format', 'must be a time without a zone, such as 2030-01-01T09:00');
}

const NOT_FUTURE = fieldError('out_of_range', 'must be in the future');

/** The same for a time that must not have passed. */
export function futureProblem(value: unknown): FieldError | null {
  return dateTimeProblem(value) ?? (Date.parse(value as string) <= Date.now() ? NOT_FUTURE : null);
}

/** Whether the time exists and has a year of four digits in UTC, as in all answers: 9999-12-31T23:00:00-05:00 is in the year 10000. */
function isYear(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** Whether the day exists. JavaScript parses 30 February as 2 March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
