import type { Transaction } from '../../../platform/database/transaction.js';
import { within } from '../../../platform/field/error/field-error.js';
import type { SecretBox } from '../../../platform/secret/secret-box.js';
import { putStatusWebhook, removeStatusWebhook } from '../../../api/status-webhook/status-webhook.write.js';
import type { ApplicationEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';

interface ApplicationOwner {
  organizationId: number;
  applicationId: number;
  /** Its path, such as `acme/shop/web`. */
  name: string;
}

/** Creates or replaces the status webhook of an application; null removes it. */
export async function applyStatusWebhook(
  { tx, secrets, problems }: { tx: Transaction; secrets: SecretBox; problems: FileProblems },
  place: ApplicationOwner,
  application: ApplicationEntry,
): Promise<Change[]> {
  const { status_webhook: entry } = application;
  if (entry === undefined) return [];
  if (entry === null)
    return (await removeStatusWebhook(tx, place)) ? [{ verb: 'delete', noun: 'status webhook', name: place.name }] : [];
  const put = await putStatusWebhook({ tx, secrets }, place, { ...entry, secret: entry.secret as string });
  if (!('errors' in put)) return changesOf('status webhook', place.name, put);
  problems.add(application, within('status_webhook', put.errors));
  return [];
}
