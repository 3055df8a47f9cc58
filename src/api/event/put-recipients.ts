import { emailKey } from '../../platform/field/email.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { hasErrors } from '../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../platform/field/error/field-error.js';
import { invalid, invalidField } from '../../platform/http/problem.js';
import { rescheduleWaiting } from '../settings/put-settings.js';
import { readUserSettings } from '../settings/read-settings.js';
import { knownTimeZones } from '../settings/time-zones.js';
import { MAX_CUSTOM_FIELDS_BYTES } from '../user/custom-fields.js';
import { addAddresses, upsertUsers } from '../user/put-users.js';
import type { UserFields } from '../user/put-users.js';
import { TOO_LARGE } from '../user/put-users.sql.js';

/** Creates or changes the users that a trigger describes, with a few statements for any number of them. */
export async function putRecipients(tx: Transaction, organizationId: number, users: UserFields[]): Promise<void> {
  const entries = await withTimeZones(tx, users);
  const { changedClocks } = await upsertUsers(tx, organizationId, entries, { merge: true });
  await addAddresses(tx, organizationId, entries);
  if (changedClocks.length > 0) await rescheduleWaiting(tx, organizationId, changedClocks);
  const merged = entries.filter((entry) => entry.custom_fields).map(({ email }) => emailKey(email));
  if (merged.length > 0) await refuseTooLarge(tx, organizationId, merged);
}

async function withTimeZones(tx: Transaction, users: UserFields[]): Promise<UserFields[]> {
  if (!users.some((user) => user.time_zone)) return users;
  const zones = await knownTimeZones(tx);
  const errors: FieldErrors = {};
  const entries = users.map(({ time_zone, ...user }) => {
    const addError: AddError = (field, code, sentence) => {
      errors[`options.recipients.${user.email}.${field}`] = [{ code, sentence }];
    };
    const { timeZone } = readUserSettings({ time_zone }, zones, addError);
    return { ...user, ...(timeZone !== undefined && { time_zone: timeZone }) };
  });
  if (hasErrors(errors)) throw invalid(errors);
  return entries;
}

async function refuseTooLarge(tx: Transaction, organizationId: number, keys: string[]): Promise<void> {
  const values = [organizationId, sqlArray(keys), MAX_CUSTOM_FIELDS_BYTES] as const;
  const [user] = await tx.$queryRawUnsafe<{ key: string }[]>(TOO_LARGE, ...values);
  if (user)
    throw invalidField(
      'options.recipients',
      'too_large',
      `the custom_fields of ${user.key} would exceed 256 KB after the merge`,
    );
}
