import type { Transaction } from '../../../platform/database/transaction.js';
import { errorLines } from '../../../api/resource/error-lines.js';
import { within } from '../../../platform/field/error/field-error.js';
import type { SecretBox } from '../../../platform/secret/secret-box.js';
import { putStatusWebhook, removeStatusWebhook } from '../../../api/status-webhook/put-status-webhook.js';
import { ProvisioningError } from '../file.js';
import type { StatusWebhookEntry } from '../file.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';
import { readReference } from './references.js';
import type { ReferenceSource } from './references.js';

interface ApplicationOwner {
  organizationId: number;
  applicationId: number;
  /** Its path, such as `acme/shop/web`. */
  name: string;
}

/** Creates or replaces the status webhook of an application; null removes it. */
export async function applyStatusWebhook(
  { tx, secrets, ...source }: ReferenceSource & { tx: Transaction; secrets: SecretBox },
  place: ApplicationOwner,
  entry: StatusWebhookEntry | null | undefined,
): Promise<Change[]> {
  if (entry === undefined) return [];
  if (entry === null)
    return (await removeStatusWebhook(tx, place)) ? [{ verb: 'delete', noun: 'status webhook', name: place.name }] : [];
  const owner = `application ${place.name}`;
  const at = `${owner}: status_webhook.secret`;
  const secret = typeof entry.secret === 'string' ? entry.secret : readReference(entry.secret, at, source);
  const put = await putStatusWebhook(tx, secrets, place, { ...entry, secret });
  if ('errors' in put) throw new ProvisioningError(errorLines(owner, within('status_webhook', put.errors)));
  return changesOf('status webhook', place.name, put);
}
