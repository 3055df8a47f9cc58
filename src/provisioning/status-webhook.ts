import { isDeepStrictEqual } from 'node:util';
import type { ClientBase } from 'pg';
import type { SecretBox } from '../common/secret-box.js';
import { STATUS_OUTCOMES, placeOfStatusSecret } from '../common/status-webhook.js';
import type { StatusOutcome } from '../common/status-webhook.js';
import { checkConfig } from '../dispatcher/config-fields.js';
import type { ConfigField } from '../dispatcher/dispatcher.js';
import type { Change } from './change.js';
import { differencesOf } from '../prisma/upsert-row.js';
import type { Difference } from '../prisma/upsert-row.js';
import { ProvisioningError } from './file.js';
import type { StatusWebhookEntry } from './file.js';
import { readReference } from './references.js';
import type { ReferenceSource } from './references.js';

export interface ApplicationPlace {
  organizationId: number;
  applicationId: number;
  /** As in `acme/shop/web`. */
  name: string;
}

interface Row {
  url: string;
  /** Sealed. */
  secret: string;
  outcomes: StatusOutcome[];
  enabled: boolean;
}

const FIELDS: readonly ConfigField[] = [
  { key: 'url', label: 'URL', kind: 'url', required: true, secret: false },
  { key: 'secret', label: 'Signing secret', kind: 'string', required: true, secret: true },
];

const FIND = `select url, secret, outcomes, enabled from status_webhooks where organization_id = $1 and application_id = $2`;

const SAVE = `
  insert into status_webhooks (organization_id, application_id, url, secret, outcomes, enabled) values ($1, $2, $3, $4, $5, $6)
  on conflict (application_id) do update
    set url = excluded.url, secret = excluded.secret, outcomes = excluded.outcomes, enabled = excluded.enabled`;

const REMOVE = `delete from status_webhooks where organization_id = $1 and application_id = $2`;

/** Makes the status webhook of an application agree with the file. It is one document; null removes it. */
export async function applyStatusWebhook(
  { client, secrets, ...source }: ReferenceSource & { client: ClientBase; secrets: SecretBox },
  { organizationId, applicationId, name }: ApplicationPlace,
  entry: StatusWebhookEntry | null | undefined,
): Promise<Change[]> {
  if (entry === undefined) return [];
  const change = (verb: Change['verb'], differences?: Difference[]): Change[] => [
    { verb, noun: 'status webhook', name, ...(differences && { differences }) },
  ];
  const identity = [organizationId, applicationId];
  if (entry === null) return (await client.query(REMOVE, identity)).rowCount ? change('delete') : [];
  const { url, secret } = check(entry, `application ${name}: status_webhook`, source);
  const { rows } = await client.query<Row>(FIND, identity);
  const [stored] = rows;
  const wanted: Row = {
    url,
    secret: sealed(secret, stored?.secret, placeOfStatusSecret(organizationId, applicationId), secrets),
    outcomes: STATUS_OUTCOMES.filter((outcome) => entry.outcomes?.includes(outcome) ?? true),
    enabled: entry.enabled ?? true,
  };
  if (isDeepStrictEqual(wanted, stored)) return [];
  await client.query(SAVE, [...identity, wanted.url, wanted.secret, wanted.outcomes, wanted.enabled]);
  return stored ? change('update', differences(stored, wanted)) : change('create');
}

function check(entry: StatusWebhookEntry, place: string, source: ReferenceSource): { url: string; secret: string } {
  const secret =
    typeof entry.secret === 'string' ? entry.secret : readReference(entry.secret, `${place}.secret`, source);
  const checked = checkConfig(FIELDS, { url: entry.url, secret });
  if ('config' in checked) return { url: entry.url, secret };
  const problems = Object.entries(checked.errors);
  throw new ProvisioningError(problems.map(([key, sentences]) => `${place}.${key} ${sentences.join(', ')}`));
}

function differences({ secret: before, ...stored }: Row, { secret: after, ...wanted }: Row): Difference[] {
  return [...differencesOf({ ...stored }, { ...wanted }), ...(before === after ? [] : [{ field: 'secret' }])];
}

/** What is stored already, when it says the same: sealing again would look like a change. */
function sealed(secret: string, stored: string | undefined, place: string, box: SecretBox): string {
  try {
    if (stored !== undefined && box.open(stored, place) === secret) return stored;
  } catch {
    // Sealed under a key that is gone: the file holds the secret anew.
  }
  return box.seal(secret, place);
}
