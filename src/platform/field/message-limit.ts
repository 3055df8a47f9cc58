import { refuseUnknown } from './error/closest.js';
import type { AddError } from './error/field-error.js';
import { isObject } from './is-object.js';

export const PERIODS = ['minute', 'hour', 'day', 'week'] as const;
export type Period = (typeof PERIODS)[number];

/** The most messages in a period, which begins with the minute, hour, day or week of the recipient's clock. */
export interface MessageLimit {
  count: number;
  per: Period;
}

export const MAX_COUNT = 1000;

/** A limit of an organization, in its stored form. It is meaningful only if no error was added. */
export function readLimit(value: unknown, field: string, addError: AddError): MessageLimit {
  if (isObject(value)) refuseUnknown(value, ['count', 'per'], field, addError);
  return readCount(value, field, addError);
}

/** The part that limits of organizations and of notifications share. */
export function readCount(value: unknown, field: string, addError: AddError): MessageLimit {
  if (!isObject(value)) {
    addError(field, 'invalid_type', 'must be an object such as { "count": 5, "per": "day" }');
    return { count: 1, per: 'day' };
  }
  const { count, per } = value;
  if (!Number.isInteger(count) || (count as number) < 1 || (count as number) > MAX_COUNT)
    addError(`${field}.count`, 'out_of_range', `must be a whole number from 1 to ${MAX_COUNT}`);
  if (!PERIODS.includes(per as Period))
    addError(`${field}.per`, 'unknown_value', `must be one of ${PERIODS.join(', ')}`);
  return { count: count as number, per: per as Period };
}
