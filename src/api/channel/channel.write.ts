import { isDeepStrictEqual } from 'node:util';
import { openConfig, sealConfig } from '../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import { checkConfig, fieldsOf } from '../../dispatcher/config-fields.js';
import { noSuchType } from '../../dispatcher/no-such-type.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { toColumns } from '../../platform/database/columns.js';
import type { Channel } from '../../platform/database/generated/prisma/client.js';
import { fieldError, within } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { SecretBox } from '../../platform/secret/secret-box.js';
import { put, withSlugs } from '../resource/put.js';
import type { BySlug, Put } from '../resource/put.js';
import { channelIds } from './channel-ids.js';
import type { UpdateChannelDto } from './channel.dto.js';

export interface ChannelContext {
  tx: Transaction;
  dispatchers: ReadonlyMap<string, Dispatcher>;
  secrets: SecretBox;
}

/** Without `projectId`, the channels of the organization itself. */
type Owner = Omit<ChannelOwner, 'slug'>;

/** `config` is not encrypted. */
type ChannelFields = UpdateChannelDto & { type?: string };

/** Creates or updates a channel. */
export async function putChannel(
  context: ChannelContext,
  { organizationId, projectId }: Owner,
  identity: BySlug,
  { config, fallback, ...fields }: ChannelFields,
): Promise<Put> {
  const { tx, dispatchers } = context;
  const owner = { organizationId, projectId };
  const row = await tx.channel.findFirst({ where: { ...owner, ...identity } });
  const type = fields.type ?? row?.type ?? '';
  const dispatcher = dispatchers.get(type);
  if (!dispatcher) return { errors: { type: [noSuchType(type, dispatchers)] } };
  const sealed = config && sealedConfig(context, dispatcher, { ...owner, slug: slugOf(identity, row) }, config, row);
  if (sealed && 'errors' in sealed) return sealed;
  const fallbackId = typeof fallback === 'string' ? (await channelIds(tx, owner)).get(fallback) : fallback;
  if (typeof fallback === 'string' && (fallbackId === undefined || fallbackId === row?.id))
    return { errors: { fallback: [noFallback(fallback)] } };
  const columns = { ...toColumns(fields), config: sealed?.config, fallbackId };
  const written = await put(tx.channel, owner, identity, columns);
  if (row && sealed && dispatchers.get(row.type)?.storesTokens && !isDeepStrictEqual(sealed.config, row.config))
    await tx.channelToken.deleteMany({ where: { channelId: row.id } });
  return { ...written, differences: await withSlugs(tx.channel, written.differences, 'fallback') };
}

const slugOf = (identity: BySlug, row: Channel | null) => ('slug' in identity ? identity.slug : (row?.slug ?? ''));

const noFallback = (slug: string) =>
  fieldError('not_found', `"${slug}" is not another channel of the project or the organization`);

/** Checks the settings. Keeps the stored ciphertext of each secret that has not changed: a new ciphertext would look like a change. */
function sealedConfig(
  { secrets }: ChannelContext,
  dispatcher: Dispatcher,
  place: ChannelOwner,
  config: Readonly<Record<string, unknown>>,
  row: Channel | null,
): { config: StoredConfig } | { errors: FieldErrors } {
  const stored = (row?.config ?? {}) as StoredConfig;
  const isStored = (key: string, value: unknown) => isUnchanged(secrets, place, stored, key, value);
  const checked = checkConfig(fieldsOf(dispatcher), config, isStored);
  if ('errors' in checked) return { errors: within('config', checked.errors) };
  const problem = dispatcher.check?.(checked.config);
  if (problem) return { errors: { config: [fieldError('conflict', problem)] } };
  const sealed = Object.entries(sealConfig(dispatcher.fields, checked.config, place, secrets)).map(
    ([key, value]) => [key, isStored(key, checked.config[key]) ? stored[key]! : value] as const,
  );
  return { config: Object.fromEntries(sealed) };
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
