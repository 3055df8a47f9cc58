import { refuseUnknown } from '../../platform/field/error/closest.js';
import type { AddError } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';

/** Who is told of what needs somebody, in its stored form. */
export interface AlertSettings {
  /** Usernames. */
  users: string[];
  /** Channels that need no address: `team`, or `shop/team` of a project. */
  channels: string[];
  /** Null: a backlog is no reason. */
  waiting_minutes: number | null;
  per_hour: number;
}

export const MAX_ALERT_USERS = 20;
export const MAX_ALERT_CHANNELS = 5;
export const MAX_ALERT_MINUTES = 10_080;
export const MAX_ALERTS_PER_HOUR = 60;
const PER_HOUR = 10;

export const ALERTS = { users: ['ann@example.com'], channels: ['shop/team'], waiting_minutes: 30, per_hour: 10 };

const FIELDS = ['users', 'channels', 'waiting_minutes', 'per_hour'];

/** It is meaningful only if no error was added. */
export function readAlerts(value: unknown, addError: AddError): AlertSettings {
  if (!isObject(value)) {
    addError('alerts', 'invalid_type', 'must be an object such as { "users": ["ann@example.com"] }');
    return { users: [], channels: [], waiting_minutes: null, per_hour: PER_HOUR };
  }
  refuseUnknown(value, FIELDS, 'alerts', addError);
  const { users, channels, waiting_minutes: minutes, per_hour: perHour } = value;
  const read = {
    users: namesOf(
      users,
      { field: 'users', most: MAX_ALERT_USERS, pattern: /^[^\s]{1,254}$/, what: 'usernames' },
      addError,
    ),
    channels: namesOf(
      channels,
      {
        field: 'channels',
        most: MAX_ALERT_CHANNELS,
        pattern: /^[\w.-]{1,100}(\/[\w.-]{1,100})?$/,
        what: 'channels such as team or shop/team',
      },
      addError,
    ),
    waiting_minutes:
      minutes === undefined || minutes === null
        ? null
        : countOf(minutes, 'waiting_minutes', MAX_ALERT_MINUTES, addError),
    per_hour:
      perHour === undefined || perHour === null
        ? PER_HOUR
        : countOf(perHour, 'per_hour', MAX_ALERTS_PER_HOUR, addError),
  };
  if (read.users.length + read.channels.length === 0)
    addError('alerts', 'required', 'must name at least one user or channel; null tells nobody');
  return read;
}

interface Names {
  field: string;
  most: number;
  pattern: RegExp;
  what: string;
}

function namesOf(value: unknown, { field, most, pattern, what }: Names, addError: AddError): string[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value) && value.length <= most;
  if (isList && value.every((name) => typeof name === 'string' && pattern.test(name)))
    return [...new Set(value as string[])];
  addError(`alerts.${field}`, 'invalid_type', `must be a list of at most ${most} ${what}`);
  return [];
}

function countOf(value: unknown, field: string, most: number, addError: AddError): number {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most)
    addError(`alerts.${field}`, 'out_of_range', `must be a whole number from 1 to ${most}`);
  return value as number;
}
