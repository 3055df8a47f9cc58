import { channelIds } from '../../../api/channel/channel-ids.js';
import { putChannel, putFallback } from '../../../api/channel/put-channel.js';
import type { ChannelContext } from '../../../api/channel/put-channel.js';
import type { ChannelOwner, StoredConfig } from '../../../dispatcher/channel-config.js';
import type { ChannelConfig } from '../../../dispatcher/dispatcher.js';
import { differencesOf } from '../../../platform/database/put-row.js';
import type { Difference } from '../../../platform/database/put-row.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { ChannelEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';

export interface ChannelsContext extends ChannelContext {
  problems: FileProblems;
  /** Called with the settings of each channel, to warn of those that cannot work. */
  look: (channel: ChannelEntry, config: ChannelConfig) => void;
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
  for (const entry of entries) changes.push(...(await applyFallback(context, place, entry, parent)));
  return changes;
}

async function applyChannel(
  context: ChannelsContext,
  place: Omit<ChannelOwner, 'slug'>,
  entry: ChannelEntry,
  parent: string,
): Promise<Change[]> {
  const path = `${parent}/${entry.slug}`;
  const config = (entry.config ?? {}) as ChannelConfig;
  context.look(entry, config);
  const put = await putChannel(context, { ...place, slug: entry.slug }, { ...entry, config });
  if ('errors' in put) {
    context.problems.addAll(entry, put.errors);
    return [];
  }
  return changesOf('channel', path, { ...put, differences: put.differences.flatMap(withoutSecrets) });
}

async function applyFallback(
  { tx, problems }: ChannelsContext,
  place: Omit<ChannelOwner, 'slug'>,
  entry: ChannelEntry,
  parent: string,
): Promise<Change[]> {
  const { slug, fallback } = entry;
  if (fallback === undefined) return [];
  const fallbackId = fallback === null ? null : (await channelIds(tx, place)).get(fallback);
  if (fallbackId === undefined || fallback === slug) {
    problems.addOne(entry, 'fallback', 'not_found', noFallback(fallback));
    return [];
  }
  const row = await tx.channel.findFirst({ where: { ...place, slug }, select: { id: true } });
  if (!row) return []; // refused
  const put = await putFallback(tx, row.id, fallbackId);
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

const noFallback = (slug: string | null) => `"${slug}" is not another channel of the project or the organization`;
