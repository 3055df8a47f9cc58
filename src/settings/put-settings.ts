import type { FieldErrors } from '../http/problem.js';
import { jsonOrNull } from '../prisma/put-row.js';
import type { Transaction } from '../prisma/transaction.js';
import { LOOK_AGAIN } from './look-again.sql.js';
import { readOrganizationSettings, readUserSettings } from './read-settings.js';
import type { OrganizationSettings, OrganizationSettingsFields, UserSettingsFields } from './read-settings.js';
import { knownTimeZones } from './time-zones.js';

/** The settings in their stored form, or the errors of each field. */
export async function checkOrganizationSettings(tx: Transaction, fields: OrganizationSettingsFields) {
  return check(tx, fields, readOrganizationSettings);
}

/**
 * Changes settings of one person. Returns the errors of each field, or null. Their messages that wait for the end of quiet hours or for a send
 * window find their time again.
 */
export async function putUserSettings(
  tx: Transaction,
  { organizationId, userId }: { organizationId: number; userId: number },
  fields: UserSettingsFields,
): Promise<FieldErrors | null> {
  const checked = await check(tx, fields, readUserSettings);
  if ('errors' in checked) return checked.errors;
  await tx.user.update({ where: { id: userId, organizationId }, data: settingsData(checked.settings), select: { id: true } });
  await tx.$executeRawUnsafe(LOOK_AGAIN, organizationId, [userId]);
  return null;
}

/** For Prisma. */
export const settingsData = ({ quietHours, messageLimit, ...columns }: OrganizationSettings) => ({
  ...columns,
  ...(quietHours !== undefined && { quietHours: jsonOrNull(quietHours) }),
  ...(messageLimit !== undefined && { messageLimit: jsonOrNull(messageLimit) }),
});

async function check<Fields extends UserSettingsFields, Settings>(
  tx: Transaction,
  fields: Fields,
  read: (fields: Fields, zones: ReadonlyMap<string, string>, addError: (field: string, text: string) => void) => Settings,
): Promise<{ settings: Settings } | { errors: FieldErrors }> {
  const errors: FieldErrors = {};
  const zones = fields.time_zone ? await knownTimeZones(tx) : new Map<string, string>();
  const settings = read(fields, zones, (field, sentence) => (errors[field] ??= []).push(sentence));
  return Object.keys(errors).length > 0 ? { errors } : { settings };
}
