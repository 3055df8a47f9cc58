import { isObject } from '../../platform/field/is-object.js';

/** The object at a path of a provider's JSON; empty if there is none. */
export function objectAt(value: unknown, ...path: string[]): Readonly<Record<string, unknown>> {
  let found: unknown = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return isObject(found) ? found : {};
}

/** A text, or a number as text; empty if it is anything else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** The entry of a table; undefined for a name such as `constructor`, which every object knows. */
export const entryOf = <Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** A time as text, or in seconds since 1970; the given time if it is neither, or of another century. */
export function timeOf(value: unknown, otherwise: Date): Date {
  const time = new Date(typeof value === 'number' ? value * 1000 : typeof value === 'string' ? value : NaN);
  const year = time.getUTCFullYear();
  return year >= 2000 && year < 2100 ? time : otherwise;
}
