import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { positiveBigint } from '../../platform/field/positive-int.js';
import { DeliveryStatus, Prisma } from '../../platform/database/generated/prisma/client.js';
import { anyText, oneOf } from '../../platform/http/list/filter.js';
import type { Filter } from '../../platform/http/list/filter.js';
import { Listing } from '../../platform/http/list/listing.js';
import { badCursor } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { DeliveryDetailDto, DeliveryDto } from './delivery.dto.js';
import type { DeliveryDetailRow, DeliveryRow } from './delivery.dto.js';
import { getDelivery, listDeliveries, ofOccurrence, overChannel, toUser } from './delivery.sql.js';

export const DELIVERY_FILTER = {
  status: oneOf(Object.values(DeliveryStatus)),
  channel: anyText,
  user: anyText,
};

/** Rows per query. Few, because a delivery may have many attempts of 1 KB each. */
export const ROWS_AT_ONCE = 500;

const MAX_INT = 2_147_483_647;

@Injectable()
export class DeliveryService {
  constructor(private readonly database: Database) {}

  list(
    scope: Scope,
    { status, channel, user }: Filter<typeof DELIVERY_FILTER>,
    page: Page,
  ): Listing<DeliveryRow, DeliveryDto> {
    const conditions = [ofOccurrence(scope)];
    if (status !== null) conditions.push(Prisma.sql`d.status = ${status}::delivery_status`);
    if (channel !== null) conditions.push(overChannel(scope, channel));
    if (user !== null) conditions.push(toUser(scope, user));
    const read = async (after: string | null, limit: number) => {
      const all = after === null ? conditions : [...conditions, comesAfter(after)];
      const { rows } = await this.database.pool.query<DeliveryRow>(listDeliveries(scope, all, limit));
      return rows;
    };
    return new Listing(page, read, DeliveryDto.from, cursorOf, ROWS_AT_ONCE);
  }

  async get(scope: Scope): Promise<DeliveryDetailDto> {
    const id = positiveBigint(scope.path.delivery ?? '');
    if (id === null) throw notFound('delivery');
    const { rows } = await this.database.pool.query<DeliveryDetailRow>(getDelivery(scope, id));
    const [row] = rows;
    if (!row) throw notFound('delivery');
    return DeliveryDetailDto.from(row);
  }
}

const cursorOf = ({ notificationId, channelId, userId }: DeliveryRow) => `${notificationId}.${channelId}.${userId}`;

/** Deliveries of an occurrence are ordered by notification, channel and user. */
function comesAfter(after: string): Prisma.Sql {
  if (!/^\d{1,10}\.\d{1,10}\.\d{1,10}$/.test(after)) throw badCursor();
  const ids = after.split('.').map(Number);
  if (ids.some((id) => id > MAX_INT)) throw badCursor();
  return Prisma.sql`(d.notification_id, d.channel_id, d.user_id) > (${Prisma.join(ids)})`;
}
