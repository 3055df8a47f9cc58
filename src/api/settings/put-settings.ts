import { addTo, hasErrors } from '../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../platform/field/error/field-error.js';
import { jsonOrNull } from '../../platform/database/put-row.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { putUser } from '../user/user.write.js';
import { readOrganizationSettings, readUserSettings } from './read-settings.js';
import type { OrganizationSettings, OrganizationSettingsFields, UserSettingsFields } from './read-settings.js';
import { knownTimeZones } from './time-zones.js';

/** The settings in their stored form, or the errors of each field. */
export async function checkOrganizationSettings(tx: Transaction, fields: OrganizationSettingsFields) {
  return check(tx, fields, readOrganizationSettings);
}

/**
 * Changes settings of one user. Returns the errors of each field, or null. Their messages that wait for the end of quiet hours or for a send
 * window find their time again.
 */
export async function putUserSettings(
  tx: Transaction,
  user: { organizationId: number; userId: number },
  fields: UserSettingsFields,
): Promise<FieldErrors | null> {
  const checked = await check(tx, fields, readUserSettings);
  if ('errors' in checked) return checked.errors;
  const { timeZone, quietHours, locale } = checked.settings;
  const put = await putUser(tx, user, { time_zone: timeZone, quiet_hours: quietHours, locale });
  return 'errors' in put ? put.errors : null;
}

/** The columns for Prisma. */
export const settingsData = <Columns extends OrganizationSettings>(columns: Columns) => ({
  ...columns,
  ...('quietHours' in columns && { quietHours: jsonOrNull(columns.quietHours) }),
  ...('logo' in columns && { logo: jsonOrNull(columns.logo) }),
  ...('pageTexts' in columns && { pageTexts: jsonOrNull(columns.pageTexts) }),
  ...('alerts' in columns && { alerts: jsonOrNull(columns.alerts) }),
  ...('links' in columns && { links: jsonOrNull(columns.links) }),
  ...('messageLimit' in columns && { messageLimit: jsonOrNull(columns.messageLimit) }),
});

async function check<Fields extends UserSettingsFields, Settings>(
  tx: Transaction,
  fields: Fields,
  read: (fields: Fields, zones: ReadonlyMap<string, string>, addError: AddError) => Settings,
): Promise<{ settings: Settings } | { errors: FieldErrors }> {
  const errors: FieldErrors = {};
  const zones = fields.time_zone ? await knownTimeZones(tx) : new Map<string, string>();
  const settings = read(fields, zones, addTo(errors));
  return hasErrors(errors) ? { errors } : { settings };
}
