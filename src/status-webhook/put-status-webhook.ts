import { isDeepStrictEqual } from 'node:util';
import { checkConfig } from '../dispatcher/config-fields.js';
import type { ConfigField } from '../dispatcher/dispatcher.js';
import type { FieldErrors } from '../http/problem.js';
import { differencesOf } from '../prisma/put-row.js';
import type { Difference } from '../prisma/put-row.js';
import type { Transaction } from '../prisma/transaction.js';
import type { SecretBox } from '../secret/secret-box.js';
import { STATUS_OUTCOMES, placeOfStatusSecret } from './status-webhook.js';
import type { StatusOutcome } from './status-webhook.js';

export interface StatusWebhookFields {
  url: string;
  /** In the clear. */
  secret: string;
  /** All of them without it. */
  outcomes?: readonly StatusOutcome[];
  enabled?: boolean;
}

export interface StatusWebhookRow {
  url: string;
  /** Sealed. */
  secret: string;
  outcomes: StatusOutcome[];
  enabled: boolean;
}

interface Place {
  organizationId: number;
  applicationId: number;
}

const FIELDS: readonly ConfigField[] = [
  { key: 'url', label: 'URL', kind: 'url', required: true, secret: false },
  { key: 'secret', label: 'Signing secret', kind: 'string', required: true, secret: true },
];

const whereOf = ({ organizationId, applicationId }: Place) => ({ organizationId, applicationId });

export async function findStatusWebhook(tx: Transaction, place: Place): Promise<StatusWebhookRow | null> {
  const select = { url: true, secret: true, outcomes: true, enabled: true };
  const row = await tx.statusWebhook.findFirst({ where: whereOf(place), select });
  return row && { ...row, outcomes: row.outcomes as StatusOutcome[] };
}

/** Whether there was one. */
export async function removeStatusWebhook(tx: Transaction, place: Place): Promise<boolean> {
  return (await tx.statusWebhook.deleteMany({ where: whereOf(place) })).count > 0;
}

/** Makes the status webhook of an application agree with the fields; it is one document. No verb: it did already. */
export async function putStatusWebhook(
  tx: Transaction,
  box: SecretBox,
  place: Place,
  { url, secret, outcomes, enabled = true }: StatusWebhookFields,
): Promise<{ verb?: 'create' | 'update'; differences: Difference[] } | { errors: FieldErrors }> {
  const checked = checkConfig(FIELDS, { url, secret });
  if ('errors' in checked) return checked;
  const stored = await findStatusWebhook(tx, place);
  const wanted: StatusWebhookRow = {
    url,
    secret: sealed(secret, stored?.secret, placeOfStatusSecret(place.organizationId, place.applicationId), box),
    outcomes: STATUS_OUTCOMES.filter((outcome) => outcomes?.includes(outcome) ?? true),
    enabled,
  };
  if (isDeepStrictEqual(wanted, stored)) return { differences: [] };
  const where = whereOf(place);
  await tx.statusWebhook.upsert({
    where: { applicationId_organizationId: where },
    create: { ...where, ...wanted },
    update: wanted,
  });
  return stored ? { verb: 'update', differences: differences(stored, wanted) } : { verb: 'create', differences: [] };
}

function differences(
  { secret: before, ...stored }: StatusWebhookRow,
  { secret: after, ...wanted }: StatusWebhookRow,
): Difference[] {
  return [...differencesOf({ ...stored }, { ...wanted }), ...(before === after ? [] : [{ field: 'secret' }])];
}

/** What is stored already, when it says the same: sealing again would look like a change. */
function sealed(secret: string, stored: string | undefined, place: string, box: SecretBox): string {
  try {
    if (stored !== undefined && box.open(stored, place) === secret) return stored;
  } catch {
    // Sealed under a key that is gone: the secret is given anew.
  }
  return box.seal(secret, place);
}
