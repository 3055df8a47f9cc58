import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import type { Transaction } from '../../platform/database/transaction.js';

interface UsableChannel {
  id: number;
  slug: string;
  type: string;
  /** As stored: secrets are encrypted. */
  config: StoredConfig;
}

/** The channels by slug that a project can use, or the organization itself (`projectId` null). A project's channel hides the
 * organization's channel with the same slug. */
export async function channelsBySlug(
  tx: Transaction,
  { organizationId, projectId }: Omit<ChannelOwner, 'slug'>,
): Promise<Map<string, UsableChannel>> {
  const rows = await tx.channel.findMany({
    where: { organizationId, OR: [{ projectId }, { projectId: null }] },
    orderBy: { projectId: { sort: 'asc', nulls: 'first' } },
    select: { id: true, slug: true, type: true, config: true },
  });
  return new Map(rows.map((row) => [row.slug, { ...row, config: row.config as StoredConfig }]));
}

export async function channelIds(tx: Transaction, place: Omit<ChannelOwner, 'slug'>): Promise<Map<string, number>> {
  const channels = await channelsBySlug(tx, place);
  return new Map([...channels].map(([slug, { id }]) => [slug, id]));
}
