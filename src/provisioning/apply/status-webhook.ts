import type { ClientBase } from 'pg';
import type { SecretBox } from '../../secret/secret-box.js';
import { putStatusWebhook, removeStatusWebhook } from '../../status-webhook/put-status-webhook.js';
import { ProvisioningError } from '../file.js';
import type { StatusWebhookEntry } from '../file.js';
import type { Change } from './change.js';
import { readReference } from './references.js';
import type { ReferenceSource } from './references.js';

export interface ApplicationPlace {
  organizationId: number;
  applicationId: number;
  /** As in `acme/shop/web`. */
  name: string;
}

/** Makes the status webhook of an application agree with the file; null removes it. */
export async function applyStatusWebhook(
  { client, secrets, ...source }: ReferenceSource & { client: ClientBase; secrets: SecretBox },
  place: ApplicationPlace,
  entry: StatusWebhookEntry | null | undefined,
): Promise<Change[]> {
  if (entry === undefined) return [];
  const change = { noun: 'status webhook', name: place.name };
  if (entry === null) return (await removeStatusWebhook(client, place)) ? [{ ...change, verb: 'delete' }] : [];
  const at = `application ${place.name}: status_webhook`;
  const secret = typeof entry.secret === 'string' ? entry.secret : readReference(entry.secret, `${at}.secret`, source);
  const put = await putStatusWebhook(client, secrets, place, { ...entry, secret });
  if ('errors' in put) {
    const problems = Object.entries(put.errors);
    throw new ProvisioningError(problems.map(([key, sentences]) => `${at}.${key} ${sentences.join(', ')}`));
  }
  if (!put.verb) return [];
  return [{ ...change, verb: put.verb, ...(put.verb === 'update' && { differences: put.differences }) }];
}
