import { dateFormat } from './region.js';

/** A moment, or a day of the calendar that is the same day in every zone (midnight UTC). */
interface LocalDate {
  at: Date;
  isDay: boolean;
}

/** Longer texts are not dates. */
const MAX_LENGTH = 64;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A time of the clock without a zone, such as `2026-12-01T09:00`. */
const CLOCK = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(:\d{2}(\.\d+)?)?)$/;

/**
 * The value as a date, as the filter `date` of Liquid takes it: a text, or seconds since 1970; null: it is not a date. A time without a zone
 * is on the clock of the zone.
 */
export function readDate(value: unknown, zone: string): LocalDate | null {
  if (value instanceof Date) return valid(value);
  if (value === 'now' || value === 'today') return valid(new Date());
  if (typeof value === 'number') return valid(new Date(value * 1000));
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
  const text = value.trim();
  if (/^\d{6,12}$/.test(text)) return valid(new Date(Number(text) * 1000));
  if (DAY.test(text)) return valid(new Date(`${text}T00:00:00Z`), true);
  const clock = CLOCK.exec(text);
  // Without a zone, JavaScript would take that of the machine.
  if (clock) return valid(instantOf(`${clock[1]}T${clock[2]}Z`, zone));
  return /(Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i.test(text) ? valid(new Date(text)) : null;
}

/** The moment of a day: its midnight on the clock of the zone. */
export const momentOf = ({ at, isDay }: LocalDate, zone: string): Date =>
  isDay ? instantOf(at.toISOString(), zone) : at;

const valid = (at: Date, isDay = false): LocalDate | null => (Number.isNaN(at.getTime()) ? null : { at, isDay });

/** When the clock of a zone shows a time, which is given as if it were UTC. */
function instantOf(shown: string, zone: string): Date {
  const wanted = Date.parse(shown);
  if (Number.isNaN(wanted)) return new Date(NaN);
  // The offset at the first guess may be that of before a change of the clock: the second one is right, except in the missing hour.
  const guess = wanted - offsetAt(wanted, zone);
  return new Date(wanted - offsetAt(guess, zone));
}

function offsetAt(time: number, zone: string): number {
  // Swedish dates are ISO dates.
  const shown = dateFormat('sv-SE', zone, 'short', 'medium').format(time).replace(' ', 'T');
  return Date.parse(`${shown}Z`) - Math.floor(time / 1000) * 1000;
}
