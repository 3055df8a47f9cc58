import { channelIds } from '../../../api/channel/channel-ids.js';
import { putChannel, putFallback } from '../../../api/channel/put-channel.js';
import type { ChannelContext } from '../../../api/channel/put-channel.js';
import type { ChannelOwner, StoredConfig } from '../../../dispatcher/channel-config.js';
import { fieldsOf } from '../../../dispatcher/config-fields.js';
import type { ChannelConfig, ConfigField, Dispatcher } from '../../../dispatcher/dispatcher.js';
import { errorLines } from '../../../api/resource/error-lines.js';
import { differencesOf } from '../../../platform/database/put-row.js';
import type { Difference } from '../../../platform/database/put-row.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { ProvisioningError } from '../file.js';
import type { ChannelEntry, ConfigValue } from '../file.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';
import { readReference } from './references.js';
import type { ReferenceSource } from './references.js';

export interface ChannelsContext extends ReferenceSource, ChannelContext {
  /** Called with the settings of each channel, to warn of those that cannot work. */
  look: (channel: string, config: ChannelConfig) => void;
}

/** Creates and updates the channels of an organization or a project; `parent` is its path. */
export async function applyChannels(
  context: ChannelsContext,
  place: Omit<ChannelOwner, 'slug'>,
  entries: ChannelEntry[],
  parent: string,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const entry of entries) changes.push(...(await applyChannel(context, place, entry, parent)));
  // After all channels exist: a fallback may come later in the file.
  for (const entry of entries) changes.push(...(await applyFallback(context.tx, place, entry, parent)));
  return changes;
}

async function applyChannel(
  context: ChannelsContext,
  place: Omit<ChannelOwner, 'slug'>,
  entry: ChannelEntry,
  parent: string,
): Promise<Change[]> {
  const path = `${parent}/${entry.slug}`;
  const config = resolveReferences(context, context.dispatchers.get(entry.type), entry.config ?? {}, path);
  context.look(path, config);
  const put = await putChannel(context, { ...place, slug: entry.slug }, { ...entry, config });
  if ('errors' in put) throw new ProvisioningError(errorLines(`channel ${path}`, put.errors));
  return changesOf('channel', path, { ...put, differences: put.differences.flatMap(withoutSecrets) });
}

async function applyFallback(
  tx: Transaction,
  place: Omit<ChannelOwner, 'slug'>,
  { slug, fallback }: ChannelEntry,
  parent: string,
): Promise<Change[]> {
  if (fallback === undefined) return [];
  const fallbackId = fallback === null ? null : (await channelIds(tx, place)).get(fallback);
  if (fallbackId === undefined || fallback === slug)
    throw new ProvisioningError([
      `channel ${parent}/${slug}: fallback: "${fallback}" is not another channel of the project or the organization`,
    ]);
  const { id } = await tx.channel.findFirstOrThrow({ where: { ...place, slug }, select: { id: true } });
  const put = await putFallback(tx, id, fallbackId);
  if (!put.verb) return [];
  return changesOf('channel', `${parent}/${slug}`, { ...put, differences: await fallbackNames(tx, put.differences) });
}

async function fallbackNames(tx: Transaction, differences: Difference[]): Promise<Difference[]> {
  const { before, after } = differences[0] as { before: number | null; after: number | null };
  const rows = await tx.channel.findMany({
    where: { id: { in: [before, after].filter((id) => id !== null) } },
    select: { id: true, slug: true },
  });
  const slugOf = (id: unknown) => rows.find((row) => row.id === id)?.slug ?? null;
  return [{ field: 'fallback', before: slugOf(before), after: slugOf(after) }];
}

function resolveReferences(
  source: ReferenceSource,
  dispatcher: Dispatcher | undefined,
  config: Record<string, ConfigValue>,
  channel: string,
): ChannelConfig {
  const resolved = Object.entries(config).map(([key, value]) => {
    if (typeof value !== 'object') return [key, value] as const;
    const text = readReference(value, `channel ${channel}: config.${key}`, source);
    const field = dispatcher && fieldsOf(dispatcher).find((each) => each.key === key);
    return [key, convert(text, field?.kind)] as const;
  });
  return Object.fromEntries(resolved);
}

/** Splits a change of `config` into one difference for each setting. The difference of a secret has no values. */
function withoutSecrets(difference: Difference): Difference[] {
  if (difference.field !== 'config') return [difference];
  const { before, after } = difference as { before: StoredConfig; after: StoredConfig };
  return differencesOf(before, after, 'config.').map((each) =>
    [each.before, each.after].some((value) => typeof value === 'object' && value !== null)
      ? { field: each.field }
      : each,
  );
}

/** Converts the text of a reference to the type of its field: an integer, a boolean or a string. */
function convert(text: string, kind: ConfigField['kind'] | undefined): string | number | boolean {
  if (kind === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  return kind === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}
