import type { QueryResultRow } from 'pg';
import { IdOrder, ORDERED_TABLES, naturalOrder } from '../../platform/database/order/id-order.js';
import type { OrderedTable, IdSpan } from '../../platform/database/order/id-order.js';
import { idRange } from './id-range.js';

/** A session in one of the two databases. */
interface Session {
  rows<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  run(sql: string, values?: unknown[]): Promise<unknown>;
}

interface Moving {
  organizationId: number;
  source: number;
  target: number;
}

type Spans = Record<OrderedTable, IdSpan[]>;

/** The last id that a sequence has given out; null: none. $1: table. */
const LAST_VALUE = `
  select data_type::text "type", last_value::float8 "last" from pg_sequences
  where schemaname = current_schema() and format('%I', sequencename)::regclass = pg_get_serial_sequence($1, 'id')::regclass`;

/**
 * Writes down in the target which ids of the organization came first, if they will not have the order of the numbers: the target gives out lower
 * ones. Nothing is written to the organization meanwhile. Taking the step again gives a span that begins later, which is right as well.
 */
export async function orderIds(source: Session, target: Session, move: Moving): Promise<void> {
  const [before] = await source.rows<{ spans: Spans }>('select spans from id_orders where organization_id = $1', [
    move.organizationId,
  ]);
  if (!before && move.target > move.source) return;
  const spans: Partial<Spans> = {};
  for (const table of ORDERED_TABLES) {
    const order = before ? new IdOrder(before.spans[table]) : naturalOrder(table);
    spans[table] = order.movedTo(await nextIds(target, table, move.target));
  }
  await target.run(
    `insert into id_orders (organization_id, spans) values ($1, $2)
     on conflict (organization_id) do update set spans = excluded.spans`,
    [move.organizationId, JSON.stringify(spans)],
  );
}

/** The ids that the cell has not given out yet. */
async function nextIds(target: Session, table: OrderedTable, cell: number): Promise<IdSpan> {
  const [sequence] = await target.rows<{ type: 'integer' | 'bigint'; last: number | null }>(LAST_VALUE, [table]);
  const { min, max } = idRange(cell, sequence!.type);
  return { low: sequence!.last === null ? Number(min) : sequence!.last + 1, high: Number(max) };
}
