import { openConfig, sealConfig } from '../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import { checkConfig, fieldsOf } from '../../dispatcher/config-fields.js';
import { noSuchType } from '../../dispatcher/no-such-type.js';
import type { ChannelConfig, Dispatcher } from '../../dispatcher/dispatcher.js';
import type { Channel } from '../../platform/database/generated/prisma/client.js';
import { fieldError, within } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { putRow } from '../../platform/database/put-row.js';
import type { PutRow } from '../../platform/database/put-row.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { SecretBox } from '../../platform/secret/secret-box.js';

export interface ChannelContext {
  tx: Transaction;
  dispatchers: ReadonlyMap<string, Dispatcher>;
  secrets: SecretBox;
}

interface ChannelFields {
  name?: string;
  type: string;
  enabled?: boolean;
  /** Not encrypted; undefined keeps the stored one. */
  config?: Readonly<Record<string, unknown>>;
}

/** Creates or updates a channel. Returns the errors of each field if the dispatcher refuses them. */
export async function putChannel(
  context: ChannelContext,
  place: ChannelOwner,
  { name, type, enabled, config }: ChannelFields,
): Promise<PutRow | { errors: FieldErrors }> {
  const dispatcher = context.dispatchers.get(type);
  if (!dispatcher) return { errors: { type: [noSuchType(type, context.dispatchers)] } };
  const row = await context.tx.channel.findFirst({ where: place });
  if (!config) return putFields(context.tx, place, row, { name, type, enabled });
  const stored = (row?.config ?? {}) as StoredConfig;
  const isStored = (key: string, value: unknown) => isUnchanged(context.secrets, place, stored, key, value);
  const checked = checkConfig(fieldsOf(dispatcher), config, isStored);
  if ('errors' in checked) return { errors: within('config', checked.errors) };
  const problem = dispatcher.check?.(checked.config);
  if (problem) return { errors: { config: [fieldError('conflict', problem)] } };
  const sealed = sealedConfig(context.secrets, dispatcher, place, checked.config, stored);
  return putFields(context.tx, place, row, { name, type, enabled, config: sealed });
}

function putFields(
  tx: Transaction,
  place: ChannelOwner,
  row: Channel | null,
  fields: Omit<ChannelFields, 'config'> & { config?: StoredConfig },
): Promise<PutRow> {
  const create = () => tx.channel.create({ data: { ...place, ...fields, name: fields.name ?? place.slug } });
  return putRow(row, fields, create, (data) => tx.channel.update({ where: { id: row?.id }, data }));
}

/** Keeps the stored ciphertext of each secret that has not changed: a new ciphertext would look like a change. */
function sealedConfig(
  secrets: SecretBox,
  dispatcher: Dispatcher,
  place: ChannelOwner,
  config: ChannelConfig,
  stored: StoredConfig,
): StoredConfig {
  const sealed = Object.entries(sealConfig(dispatcher.fields, config, place, secrets));
  return Object.fromEntries(
    sealed.map(([key, value]) => [key, isUnchanged(secrets, place, stored, key, config[key]) ? stored[key]! : value]),
  );
}

function isUnchanged(
  secrets: SecretBox,
  place: ChannelOwner,
  stored: StoredConfig,
  key: string,
  value: unknown,
): boolean {
  try {
    return key in stored && openConfig({ [key]: stored[key]! }, place, secrets)[key] === value;
  } catch {
    return false; // encrypted with a key that no longer exists: store the secret again
  }
}

/** Sets the fallback of a channel, or removes it. */
export async function putFallback(tx: Transaction, id: number, fallbackId: number | null): Promise<PutRow> {
  const row = await tx.channel.findUniqueOrThrow({ where: { id }, select: { id: true, fallbackId: true } });
  const update = (data: { fallbackId?: number | null }) => tx.channel.update({ where: { id }, data });
  return putRow(row, { fallbackId }, () => Promise.resolve(row), update);
}
