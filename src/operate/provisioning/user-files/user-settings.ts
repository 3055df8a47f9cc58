import { readUserSettings } from '../../../api/settings/read-settings.js';
import { addTo, hasErrors } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import type { UserEntry } from '../file.js';

/** Brings the time zone and the quiet hours of an entry into their stored form. Returns the errors, or null. */
export function normalizeSettings(entry: UserEntry, zones: ReadonlyMap<string, string>): FieldErrors | null {
  const errors: FieldErrors = {};
  const { timeZone, quietHours } = readUserSettings(entry, zones, addTo(errors));
  if (timeZone !== undefined) entry.time_zone = timeZone;
  if (quietHours !== undefined) entry.quiet_hours = quietHours;
  return hasErrors(errors) ? errors : null;
}
