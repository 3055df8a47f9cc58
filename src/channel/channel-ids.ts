import type { ChannelPlace } from '../dispatcher/channel-config.js';
import type { Transaction } from '../prisma/transaction.js';

/** The channels that can be named there, by slug. A project's channel hides the organization's of the same slug. */
export async function channelIds(
  tx: Transaction,
  { organizationId, projectId }: Omit<ChannelPlace, 'slug'>,
): Promise<Map<string, number>> {
  const rows = await tx.channel.findMany({
    where: { organizationId, OR: [{ projectId }, { projectId: null }] },
    orderBy: { projectId: { sort: 'asc', nulls: 'first' } },
    select: { id: true, slug: true },
  });
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}
