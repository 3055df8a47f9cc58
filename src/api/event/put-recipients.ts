import type { Transaction } from '../../platform/database/transaction.js';
import { within } from '../../platform/field/error/field-error.js';
import { invalid } from '../../platform/http/problem.js';
import { rescheduleWaiting } from '../settings/reschedule-waiting.js';
import { putUsers } from '../user/user.write.js';
import type { RecipientFields } from './trigger-recipients.js';

/** Creates or changes the users that a trigger describes, with a few statements for any number of them. */
export async function putRecipients(tx: Transaction, organizationId: number, users: RecipientFields[]): Promise<void> {
  const { refused, changedClocks } = await putUsers(tx, organizationId, users, { merge: true });
  if (refused.length > 0)
    throw invalid(Object.assign({}, ...refused.map(({ entry, errors }) => within(entry.place, errors))));
  if (changedClocks.length > 0) await rescheduleWaiting(tx, organizationId, changedClocks);
}
