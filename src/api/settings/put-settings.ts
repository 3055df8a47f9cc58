import { addTo, hasErrors } from '../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../platform/field/error/field-error.js';
import { jsonOrNull } from '../../platform/database/put-row.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { LOOK_AGAIN } from './reschedule-waiting.sql.js';
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
  { organizationId, userId }: { organizationId: number; userId: number },
  fields: UserSettingsFields,
): Promise<FieldErrors | null> {
  const checked = await check(tx, fields, readUserSettings);
  if ('errors' in checked) return checked.errors;
  await tx.user.update({
    where: { id: userId, organizationId },
    data: settingsData(checked.settings),
    select: { id: true },
  });
  await rescheduleWaiting(tx, organizationId, [userId]);
  return null;
}

/** The columns for Prisma. */
export const settingsData = <Columns extends OrganizationSettings>(columns: Columns) => ({
  ...columns,
  ...('quietHours' in columns && { quietHours: jsonOrNull(columns.quietHours) }),
  ...('messageLimit' in columns && { messageLimit: jsonOrNull(columns.messageLimit) }),
});

/** Messages that wait for the clock of these users find their time again. At most once in a transaction: see `LOOK_AGAIN`. */
export const rescheduleWaiting = (tx: Transaction, organizationId: number, userIds: readonly number[]) =>
  tx.$executeRawUnsafe(LOOK_AGAIN, organizationId, sqlArray(userIds));

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
