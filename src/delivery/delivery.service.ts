import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { emailKey } from '../field/email.js';
import { DeliveryStatus, Prisma } from '../generated/prisma/client.js';
import { anyText, oneOf } from '../http/list/filter.js';
import type { Filter } from '../http/list/filter.js';
import { Listing } from '../http/list/listing.js';
import { badCursor, positiveBigint } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { notFound } from '../http/problem.js';
import { Database } from '../prisma/database.js';
import { DeliveryDetailDto, DeliveryDto } from './delivery.dto.js';
import type { DeliveryDetailRow, DeliveryRow } from './delivery.dto.js';

export const DELIVERY_FILTER = {
  status: oneOf(Object.values(DeliveryStatus)),
  channel: anyText,
  user: anyText,
};

/** Rows per query. Few, because a delivery may have many attempts of 1 KB each. */
const ROWS_AT_ONCE = 500;

const MAX_INT = 2_147_483_647;

@Injectable()
export class DeliveryService {
  constructor(private readonly database: Database) {}

  list(
    scope: Scope,
    { status, channel, user }: Filter<typeof DELIVERY_FILTER>,
    page: Page,
  ): Listing<DeliveryRow, DeliveryDto> {
    const { organizationId } = scope;
    const conditions = [ofOccurrence(scope)];
    if (status !== null) conditions.push(Prisma.sql`d.status = ${status}::delivery_status`);
    if (channel !== null) {
      const channels = Prisma.sql`select id from channels where organization_id = ${organizationId} and slug = ${channel}`;
      conditions.push(Prisma.sql`d.channel_id = any(array(${channels}))`);
    }
    if (user !== null) {
      const key = emailKey(user);
      const person = Prisma.sql`select id from users where organization_id = ${organizationId} and email_key = ${key}`;
      conditions.push(Prisma.sql`d.user_id = (${person})`);
    }
    const read = async (after: string | null, limit: number) => {
      const all = after === null ? conditions : [...conditions, comesAfter(after)];
      const { rows } = await this.database.pool.query<DeliveryRow>(Prisma.sql`
        select ${columns(scope)}
        from deliveries d
        where ${Prisma.join(all, ' and ')}
        order by d.notification_id, d.channel_id, d.user_id
        limit ${limit}`);
      return rows;
    };
    return new Listing(page, read, DeliveryDto.from, cursorOf, ROWS_AT_ONCE);
  }

  async get(scope: Scope): Promise<DeliveryDetailDto> {
    const id = positiveBigint(scope.path.delivery ?? '');
    if (id === null) throw notFound('delivery');
    const { rows } = await this.database.pool.query<DeliveryDetailRow>(Prisma.sql`
      select ${columns(scope)},
             (select json_build_object('recipient', m.recipient, 'subject', m.subject, 'text', m.text, 'html', m.html)
              from messages m where m.delivery_id = d.id) message
      from deliveries d
      where ${ofOccurrence(scope)} and d.id = ${id}`);
    const [row] = rows;
    if (!row) throw notFound('delivery');
    return DeliveryDetailDto.from(row);
  }
}

const ofOccurrence = ({ occurrenceId, organizationId }: Scope) =>
  Prisma.sql`d.occurrence_id = ${occurrenceId}::uuid and d.organization_id = ${organizationId}`;

// Subqueries instead of joins: PostgreSQL would hash a join of a million rows, lose the order of the index, and sort all rows before
// the first one is returned. The names of the notifications are one object that is built once.
const columns = ({ occurrenceId }: Scope) => Prisma.sql`
  d.id, d.notification_id "notificationId", d.channel_id "channelId", d.user_id "userId",
  (select jsonb_object_agg(rule->>'notification', rule->'name')
   from occurrences o, jsonb_array_elements(o.decisions) rule where o.id = ${occurrenceId}::uuid) ->> d.notification_id::text notification,
  (select c.slug from channels c where c.id = d.channel_id) channel,
  (select u.email from users u where u.id = d.user_id) "user",
  d.status, d.gate, d.reason, d.next_attempt_at "nextAttemptAt", d.fallback_of "fallbackOf",
  coalesce((
    select json_agg(json_build_object('number', a.number, 'at', a.at, 'duration_ms', a.duration_ms,
                                      'outcome', a.outcome, 'answer', a.answer) order by a.number)
    from attempts a where a.delivery_id = d.id), '[]') attempts`;

const cursorOf = ({ notificationId, channelId, userId }: DeliveryRow) => `${notificationId}.${channelId}.${userId}`;

/** Deliveries of an occurrence are ordered by notification, channel and user. */
function comesAfter(after: string): Prisma.Sql {
  if (!/^\d{1,10}\.\d{1,10}\.\d{1,10}$/.test(after)) throw badCursor();
  const ids = after.split('.').map(Number);
  if (ids.some((id) => id > MAX_INT)) throw badCursor();
  return Prisma.sql`(d.notification_id, d.channel_id, d.user_id) > (${Prisma.join(ids)})`;
}
