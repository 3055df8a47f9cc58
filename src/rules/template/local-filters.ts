import { momentOf, readDate } from './local-date.js';
import { currencyFormat, dateFormat, listFormat, numberFormat, relativeFormat } from './region.js';
import type { Region } from './region.js';

/** A filter that writes a value for a region. It returns null, or throws, if the value or an argument does not fit. */
type LocalFilter = (value: unknown, region: Region, ...args: unknown[]) => string | null;

type Style = Parameters<typeof dateFormat>[2];

/** The filters of templates that follow the locale and the time zone of the reader. */
export const LOCAL_FILTERS: Readonly<Record<string, LocalFilter>> = {
  local_date: (value, { locale, timeZone }, style = 'medium', timeStyle) => {
    const date = readDate(value, timeZone);
    if (date === null) return null;
    const format = (zone: string) => dateFormat(locale, zone, style as Style, timeStyle as Style);
    return timeStyle === undefined && date.isDay
      ? format('UTC').format(date.at)
      : format(timeZone).format(momentOf(date, timeZone));
  },
  local_time: (value, { locale, timeZone }, style = 'short') => {
    const date = readDate(value, timeZone);
    return date && dateFormat(locale, timeZone, undefined, style as Style).format(momentOf(date, timeZone));
  },
  local_number: (value, { locale }, digits) => {
    const number = readNumber(value);
    return number === null ? null : numberFormat(locale, digits as number | undefined).format(number);
  },
  currency: (value, { locale }, code) => {
    const number = readNumber(value);
    return number === null || typeof code !== 'string' ? null : currencyFormat(locale, code).format(number);
  },
  local_list: (value, { locale }, word = 'and') => {
    if (!Array.isArray(value) || (word !== 'and' && word !== 'or')) return null;
    const items = value.filter((item) => item !== null && item !== undefined);
    return listFormat(locale, word === 'or' ? 'disjunction' : 'conjunction').format(items.map(textOf));
  },
  relative_time: (value, { locale, timeZone }) => {
    const date = readDate(value, timeZone);
    if (date === null) return null;
    const [amount, unit] = distanceOf((momentOf(date, timeZone).getTime() - Date.now()) / 1000);
    return relativeFormat(locale).format(amount, unit);
  },
};

/** A value that does not fit is rendered as it is, as the filter `date` of Liquid does. */
export function applyLocal(filter: LocalFilter, value: unknown, region: Region, args: unknown[]): unknown {
  try {
    return filter(value, region, ...args) ?? value;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return value;
    throw error;
  }
}

/** A text keeps all its digits: amounts of money are often texts. */
function readNumber(value: unknown): number | `${number}` | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && /^\s*-?\d{1,30}(\.\d{1,20})?\s*$/.test(value)
    ? (value.trim() as `${number}`)
    : null;
}

const textOf = (item: unknown) =>
  typeof item === 'string' ? item : typeof item === 'object' ? JSON.stringify(item) : String(item);

const UNITS = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 7],
  ['week', 604_800, 4.35],
  ['month', 2_629_746, 12],
  ['year', 31_556_952, Infinity],
] as const;

/** In the first unit of which there are few. */
function distanceOf(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  const [unit, length] = UNITS.find(([, length, most]) => Math.round(Math.abs(seconds) / length) < most)!;
  return [Math.round(seconds / length), unit];
}
