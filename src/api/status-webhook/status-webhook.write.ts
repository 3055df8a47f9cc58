import { isDeepStrictEqual } from 'node:util';
import { checkConfig } from '../../dispatcher/config-fields.js';
import type { ConfigField } from '../../dispatcher/dispatcher.js';
import { problemWithSigningSecret } from '../../dispatcher/webhook/signature.js';
import { differencesOf } from '../../platform/database/put-row.js';
import type { Difference } from '../../platform/database/put-row.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { SecretBox } from '../../platform/secret/secret-box.js';
import type { Put } from '../resource/put.js';
import { ATTEMPT_OUTCOMES, STATUS_OUTCOMES, statusSecretContext } from '../../engine/report/status-webhook.js';
import type { StatusOutcome } from '../../engine/report/status-webhook.js';
import type { PutStatusWebhookDto, StatusWebhookDto } from './status-webhook.dto.js';

/** Its secret is encrypted. */
type StatusWebhookRow = StatusWebhookDto;

interface StatusWebhookOwner {
  organizationId: number;
  applicationId: number;
}

export const FIELDS: readonly ConfigField[] = [
  { key: 'url', label: 'URL', kind: 'url', required: true, secret: false },
  {
    key: 'secret',
    label: 'Signing secret',
    kind: 'string',
    required: true,
    secret: true,
    problem: problemWithSigningSecret,
  },
];

const whereOf = ({ organizationId, applicationId }: StatusWebhookOwner) => ({ organizationId, applicationId });

export async function findStatusWebhook(tx: Transaction, place: StatusWebhookOwner): Promise<StatusWebhookRow | null> {
  const select = { url: true, secret: true, outcomes: true, enabled: true };
  const row = await tx.statusWebhook.findFirst({ where: whereOf(place), select });
  return row && { ...row, outcomes: row.outcomes as StatusOutcome[] };
}

/** Returns whether there was a status webhook. */
export async function removeStatusWebhook(tx: Transaction, place: StatusWebhookOwner): Promise<boolean> {
  return (await tx.statusWebhook.deleteMany({ where: whereOf(place) })).count > 0;
}

/** Creates or replaces the status webhook of an application. */
export async function putStatusWebhook(
  { tx, secrets: box }: { tx: Transaction; secrets: SecretBox },
  place: StatusWebhookOwner,
  { url, secret, outcomes, enabled = true }: PutStatusWebhookDto,
): Promise<Put> {
  const id = place.applicationId;
  const stored = await findStatusWebhook(tx, place);
  const sealedSecret = sealed(
    secret,
    stored?.secret,
    statusSecretContext(place.organizationId, place.applicationId),
    box,
  );
  const isStored = (key: string) => key === 'secret' && sealedSecret === stored?.secret;
  const checked = checkConfig(FIELDS, { url, secret }, isStored);
  if ('errors' in checked) return checked;
  const wanted: StatusWebhookRow = {
    url,
    secret: sealedSecret,
    outcomes: STATUS_OUTCOMES.filter((outcome) => (outcomes ?? ATTEMPT_OUTCOMES).some((each) => each === outcome)),
    enabled,
  };
  if (isDeepStrictEqual(wanted, stored)) return { id, differences: [] };
  const where = whereOf(place);
  await tx.statusWebhook.upsert({
    where: { applicationId_organizationId: where },
    create: { ...where, ...wanted },
    update: wanted,
  });
  return stored
    ? { id, verb: 'update', differences: differences(stored, wanted) }
    : { id, verb: 'create', differences: [] };
}

function differences(
  { secret: before, ...stored }: StatusWebhookRow,
  { secret: after, ...wanted }: StatusWebhookRow,
): Difference[] {
  return [...differencesOf({ ...stored }, { ...wanted }), ...(before === after ? [] : [{ field: 'secret' }])];
}

/** Keeps the stored ciphertext of an unchanged secret: a new ciphertext would look like a change. */
function sealed(secret: string, stored: string | undefined, place: string, box: SecretBox): string {
  try {
    if (stored !== undefined && box.open(stored, place) === secret) return stored;
  } catch {
    // Encrypted with a key that no longer exists: store the secret again.
  }
  return box.seal(secret, place);
}
