import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { Database } from '../../platform/database/database.js';
import { ChannelHealthDto } from './channel-health.dto.js';
import type { ChannelHealthRow } from './channel-health.dto.js';

/** Subqueries use the index at all times. $1: organization, $2: after which id, $3: how many, $4: the project of the key, or null. */
export const LIST_CHANNEL_HEALTH = `
  select c.id, (select p.slug from projects p where p.id = c.project_id) project, c.slug, c.name, c.type, c.enabled,
         coalesce(s.failures, 0) failures, s.failing_since "failingSince", s.probe_at "probeAt"
  from channels c left join lateral (select * from channel_states s where s.channel_id = c.id offset 0) s on true
  where c.organization_id = $1 and c.id > $2 and (c.project_id is null or $4::int is null or c.project_id = $4)
  order by c.id limit $3`;

@Injectable()
export class ChannelHealthService {
  constructor(private readonly database: Database) {}

  list({ organizationId, key }: Scope, page: Page): Listing<ChannelHealthRow, ChannelHealthDto> {
    const read = async (after: string | null, limit: number) => {
      const values = [organizationId, afterId(after), limit, key.projectId];
      return (await this.database.query<ChannelHealthRow>('list-channel-health', LIST_CHANNEL_HEALTH, values)).rows;
    };
    return new Listing(page, read, ChannelHealthDto.from, ({ id }) => id);
  }
}
