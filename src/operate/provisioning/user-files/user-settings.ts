import { readUserSettings } from '../../../api/settings/read-settings.js';
import type { UserEntry } from '../file.js';

/** Brings the time zone and the quiet hours of an entry into their stored form. Returns the first problem, or null. */
export function normalizeSettings(entry: UserEntry, zones: ReadonlyMap<string, string>): string | null {
  const problems: string[] = [];
  const { timeZone, quietHours } = readUserSettings(entry, zones, (field, _code, sentence) =>
    problems.push(`${field}: ${sentence}`),
  );
  if (timeZone !== undefined) entry.time_zone = timeZone;
  if (quietHours !== undefined) entry.quiet_hours = quietHours;
  return problems[0] ?? null;
}
