import { Injectable } from '@nestjs/common';
import { IdOrder, LAST_IDS, ORDERED_TABLES, naturalOrder } from './id-order.js';
import type { OrderedTable, IdSpan } from './id-order.js';

export interface IdOrderRow {
  organizationId: number;
  spans: Record<OrderedTable, IdSpan[]>;
}

const NATURAL = {
  inbox_messages: naturalOrder('inbox_messages'),
  audit_entries: naturalOrder('audit_entries'),
};

/** The orders of organizations that have moved to a cell with lower ids. There are few, or none. */
@Injectable()
export class IdOrders {
  /** The highest id of a message that this cell itself gives out. Organizations may have come with higher ones. */
  lastOwnMessage = LAST_IDS.inbox_messages;
  private orders = new Map<number, Record<OrderedTable, IdOrder>>();

  put(rows: readonly IdOrderRow[]): void {
    const ordersOf = ({ spans }: IdOrderRow) =>
      Object.fromEntries(ORDERED_TABLES.map((table) => [table, new IdOrder(spans[table])]));
    this.orders = new Map(rows.map((row) => [row.organizationId, ordersOf(row) as Record<OrderedTable, IdOrder>]));
  }

  of(organizationId: number, table: OrderedTable): IdOrder {
    return (this.orders.get(organizationId) ?? NATURAL)[table];
  }
}
