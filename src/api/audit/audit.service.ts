import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { IdOrder, IdSpan } from '../../platform/database/order/id-order.js';
import { IdOrders } from '../../platform/database/order/id-orders.js';
import { positiveBigint } from '../../platform/field/positive-int.js';
import { Listing } from '../../platform/http/list/listing.js';
import { badCursor } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { Database } from '../../platform/database/database.js';
import { listAuditEntries, listAuditSpans } from './audit-list.sql.js';
import type { AuditFilter } from './audit-list.sql.js';
import { AuditEntryDto } from './audit.dto.js';
import type { AuditEntryRow } from './audit.dto.js';

/** Reads the audit log. Database triggers write it; see the baseline in `prisma/migrations`. */
@Injectable()
export class AuditService {
  constructor(
    private readonly database: Database,
    private readonly orders: IdOrders,
  ) {}

  list({ organizationId }: Scope, filter: AuditFilter, page: Page): Listing<AuditEntryRow, AuditEntryDto> {
    const order = this.orders.of(organizationId, 'audit_entries');
    const read = async (after: string | null, limit: number) => {
      const lastId = after === null ? null : positiveBigint(after);
      if (after !== null && lastId === null) throw badCursor();
      const entries = order.isNatural
        ? listAuditEntries(organizationId, filter, lastId, limit)
        : listAuditSpans(organizationId, filter, spansAfter(order, lastId, filter), limit);
      return (await this.database.pool.query<AuditEntryRow>(entries)).rows;
    };
    return new Listing(page, read, AuditEntryDto.from, ({ id }) => Number(id));
  }
}

/** The ids that follow, in the order in which they are listed. */
function spansAfter(order: IdOrder, lastId: number | null, filter: AuditFilter): IdSpan[] {
  const last = lastId === null ? null : order.rank(lastId);
  if (filter.order === 'desc') return order.between(0, last === null ? Infinity : last - 1).reverse();
  return order.between(last === null ? 0 : last + 1, Infinity);
}
