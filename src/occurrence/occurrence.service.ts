import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { dateTimeProblem } from '../field/date-time.js';
import { isUuid, uuidBound } from '../field/uuid-v7.js';
import { OccurrenceStatus, Prisma } from '../generated/prisma/client.js';
import { oneOf } from '../http/list/filter.js';
import type { Filter } from '../http/list/filter.js';
import { Listing } from '../http/list/listing.js';
import { badCursor } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { notFound } from '../http/problem.js';
import { Database } from '../prisma/database.js';
import { OccurrenceDetailDto, OccurrenceDto } from './occurrence.dto.js';
import type { OccurrenceDetailRow, OccurrenceRow } from './occurrence.dto.js';

export const OCCURRENCE_FILTER = {
  status: oneOf(Object.values(OccurrenceStatus)),
  since: dateTimeProblem,
  until: dateTimeProblem,
};

/** An id carries the clock of the process that made it, `created_at` that of PostgreSQL: so far may they lie apart. */
const CLOCKS_MS = 24 * 3_600_000;

@Injectable()
export class OccurrenceService {
  constructor(private readonly database: Database) {}

  /** Newest first: the cursor goes down. */
  list(
    { eventId, organizationId }: Scope,
    { status, since, until }: Filter<typeof OCCURRENCE_FILTER>,
    page: Page,
  ): Listing<OccurrenceRow, OccurrenceDto> {
    const conditions = [Prisma.sql`event_id = ${eventId} and organization_id = ${organizationId}`];
    if (status !== null) conditions.push(Prisma.sql`status = ${status}::occurrence_status`);
    // There is no index by time; the ids, which are in that of the event, spare reading what lies far outside.
    if (since !== null) {
      const from = new Date(since);
      conditions.push(Prisma.sql`created_at >= ${from} and id >= ${uuidBound(from.getTime() - CLOCKS_MS)}::uuid`);
    }
    if (until !== null) {
      const to = new Date(until);
      conditions.push(Prisma.sql`created_at < ${to} and id < ${uuidBound(to.getTime() + CLOCKS_MS)}::uuid`);
    }
    const read = async (after: string | null, limit: number) => {
      if (after !== null && !isUuid(after)) throw badCursor();
      const here = after === null ? conditions : [...conditions, Prisma.sql`id < ${after}::uuid`];
      // Whom a trigger was limited to is not shown, and may be long.
      const { rows } = await this.database.pool.query<OccurrenceRow>(Prisma.sql`
        select id, status, options - 'limit_to' options, created_at "createdAt", expanded_at "expandedAt", canceled_at "canceledAt",
               approved_at "approvedAt"
        from occurrences
        where ${Prisma.join(here, ' and ')}
        order by id desc
        limit ${limit}`);
      return rows;
    };
    return new Listing(page, read, OccurrenceDto.from, ({ id }) => id);
  }

  /** One statement, so that the counts belong to the status: a million deliveries are read once, and counted where they lie. */
  async get({ occurrenceId, organizationId }: Scope): Promise<OccurrenceDetailDto> {
    const { rows } = await this.database.pool.query<OccurrenceDetailRow>(Prisma.sql`
      select o.id, o.status, o.options, o.created_at "createdAt", o.expanded_at "expandedAt", o.canceled_at "canceledAt",
             o.approved_at "approvedAt", e.slug event, a.slug application, p.slug project, o.context, o.problem, o.decisions,
             coalesce((
               select json_agg(json_build_object('notification', g.notification_id, 'channel', g.channel_id,
                                                 'slug', (select c.slug from channels c where c.id = g.channel_id),
                                                 'status', g.status, 'gate', g.gate, 'count', g.count)
                               order by g.notification_id, g.channel_id)
               from (
                 select notification_id, channel_id, status, gate, count(*) from deliveries
                 where occurrence_id = o.id
                 group by notification_id, channel_id, status, gate
               ) g), '[]') groups
      from occurrences o
      join events e on e.id = o.event_id
      join applications a on a.id = e.application_id
      join projects p on p.id = a.project_id
      where o.id = ${occurrenceId}::uuid and o.organization_id = ${organizationId}`);
    const [row] = rows;
    if (!row) throw notFound('occurrence');
    return OccurrenceDetailDto.from(row);
  }
}
