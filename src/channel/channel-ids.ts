import type { ClientBase } from 'pg';
import type { ChannelPlace } from '../dispatcher/channel-config.js';

/** The channels that can be named there, by slug. A project's channel hides the organization's of the same slug. */
export async function channelIds(
  client: ClientBase,
  { organizationId, projectId }: Omit<ChannelPlace, 'slug'>,
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: number; slug: string }>(
    `select id, slug from channels where organization_id = $1 and (project_id = $2 or project_id is null)
     order by project_id nulls first`,
    [organizationId, projectId],
  );
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}
