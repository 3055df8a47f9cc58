/** From here on, numbers are milliseconds: as seconds it would be the year 5138. */
const FIRST_MILLISECONDS = 1e11;

const WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d{1,9})?$/;

/**
 * A time as providers write it: seconds or milliseconds since 1970, as a number or as text; or ISO 8601, which is in UTC if it names no zone.
 * Null: it is none, or of another century.
 */
export function momentOf(value: unknown): Date | null {
  const moment = new Date(
    typeof value === 'number' ? milliseconds(value) : typeof value === 'string' ? read(value) : NaN,
  );
  const year = moment.getUTCFullYear();
  return year >= 2000 && year < 2100 ? moment : null;
}

const milliseconds = (value: number): number => (Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value);

function read(text: string): number {
  if (/^\d{1,13}(?:\.\d{1,9})?$/.test(text)) return milliseconds(Number(text));
  const [, day, time, fraction = ''] = WITHOUT_ZONE.exec(text) ?? [];
  return Date.parse(day === undefined ? text : `${day}T${time}${fraction}Z`);
}
