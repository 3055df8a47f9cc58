import { locale } from '../../text/language';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const PERIODS: Record<string, number> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
  '365d': 365 * DAY_MS,
};

export interface Span {
  by: 'hour' | 'day';
  query: { since: string; until: string };
  /** The same time before, to compare with. */
  before: { since: string; until: string };
}

/** The period of the address, until the end of this hour. */
export function spanOf(time: string | undefined, now: number): Span {
  const length = PERIODS[time ?? ''] ?? PERIODS['7d']!;
  const until = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const iso = (at: number) => new Date(at).toISOString();
  return {
    by: length === DAY_MS ? 'hour' : 'day',
    query: { since: iso(until - length), until: iso(until) },
    before: { since: iso(until - 2 * length), until: iso(until - length) },
  };
}

/** A local time as the filters of occurrences have it, such as `2030-01-01T08:00`. */
export function localTime(at: string | number): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const LONG: Record<string, Intl.DateTimeFormatOptions> = {
  hour: { weekday: 'short', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
};
const SHORT: Record<string, Intl.DateTimeFormatOptions> = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
};

const format = (options: Intl.DateTimeFormatOptions | undefined, at: string, timeZone: string) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(new Date(at));

/** The hour or day that begins at a time, in the time zone of the organization. */
export const slotName = (by: string, at: string, timeZone: string) => format(LONG[by], at, timeZone);

/** The same for below a bar. */
export const markOf = (by: string, at: string, timeZone: string) => format(SHORT[by], at, timeZone);
