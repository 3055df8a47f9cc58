import { putChannel } from '../../../api/channel/channel.write.js';
import type { ChannelContext } from '../../../api/channel/channel.write.js';
import type { ChannelOwner, StoredConfig } from '../../../dispatcher/channel-config.js';
import type { ChannelConfig } from '../../../dispatcher/dispatcher.js';
import { differencesOf } from '../../../platform/database/put-row.js';
import type { Difference, PutRow } from '../../../platform/database/put-row.js';
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
  const put = async (entry: ChannelEntry, fields: Parameters<typeof putChannel>[3]) => {
    const row = await putChannel(context, place, { slug: entry.slug }, fields);
    if ('errors' in row) context.problems.addAll(entry, row.errors);
    else changes.push(...changesOf('channel', `${parent}/${entry.slug}`, withoutSecrets(row)));
    return !('errors' in row);
  };
  const written: ChannelEntry[] = [];
  for (const entry of entries) {
    const { slug: _slug, fallback: _, ...fields } = entry;
    const config = (entry.config ?? {}) as ChannelConfig;
    context.look(entry, config);
    if (await put(entry, { ...fields, config })) written.push(entry);
  }
  // After all channels exist: a fallback may come later in the file.
  for (const entry of written) if (entry.fallback !== undefined) await put(entry, { fallback: entry.fallback });
  return changes;
}

/** Splits a change of `config` into one difference for each setting. The difference of a secret has no values. */
const withoutSecrets = (row: PutRow): PutRow => ({ ...row, differences: row.differences.flatMap(bySetting) });

function bySetting(difference: Difference): Difference[] {
  if (difference.field !== 'config') return [difference];
  const { before, after } = difference as { before: StoredConfig; after: StoredConfig };
  return differencesOf(before, after, 'config.').map((each) =>
    [each.before, each.after].some((value) => typeof value === 'object' && value !== null)
      ? { field: each.field }
      : each,
  );
}
