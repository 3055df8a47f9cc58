import { Prisma } from '../../platform/database/generated/prisma/client.js';
import type { IdSpan } from '../../platform/database/order/id-order.js';
import { aroundRows, jsonBytes } from '../../platform/database/next-rows.js';

/** The filters of the list; null: no filter. */
export interface AuditFilter {
  order: string | null;
  noun: string | null;
  actor: string | null;
  name: string | null;
  since: string | null;
  until: string | null;
}

/** The time of an entry is the start of its transaction, the id is drawn later. No transaction that writes entries takes longer. */
const LONGEST = Prisma.sql`interval '1 day'`;

const [FIRST, LAST] = aroundRows().map(Prisma.raw) as [Prisma.Sql, Prisma.Sql];
const COLUMNS = Prisma.raw(
  `id, at, key_id "keyId", actor, request_id "requestId", address, verb, noun, name, count, changes, ${jsonBytes('changes')} bytes`,
);

/**
 * Entries of an organization, after a cursor. Only filters that are used stand in the text, and an index serves each of them. The array makes
 * PostgreSQL use an index of the organization: see `nextRows`.
 */
export function listAuditEntries(organizationId: number, filter: AuditFilter, after: number | null, limit: number) {
  const { order, since, until } = filter;
  const isNewestFirst = order === 'desc';
  const own = ownedBy(organizationId);
  const conditions = [own, ...matching(filter)];
  if (after !== null) conditions.push(isNewestFirst ? Prisma.sql`id < ${after}` : Prisma.sql`id > ${after}`);
  // The list is in the order of ids: the first and the last entry of a time become bounds of ids.
  if (since !== null) {
    conditions.push(Prisma.sql`id > coalesce((
      select id from audit_entries where ${own} and at < ${new Date(since)}::timestamptz - ${LONGEST}
      order by organization_id desc, at desc limit 1), 0)`);
  }
  if (until !== null) {
    conditions.push(Prisma.sql`id < coalesce((
      select id from audit_entries where ${own} and at > ${new Date(until)}::timestamptz + ${LONGEST}
      order by organization_id, at limit 1), ${Number.MAX_SAFE_INTEGER})`);
  }
  const direction = Prisma.raw(isNewestFirst ? 'desc' : 'asc');
  return Prisma.sql`${FIRST}
    select ${COLUMNS} from audit_entries where ${Prisma.join(conditions, ' and ')}
    order by organization_id ${direction}, id ${direction} limit ${limit}${LAST}`;
}

/** The same for an organization whose ids are spans, in the order in which they are read. */
export function listAuditSpans(organizationId: number, filter: AuditFilter, spans: readonly IdSpan[], limit: number) {
  const direction = Prisma.raw(filter.order === 'desc' ? 'desc' : 'asc');
  const conditions = [ownedBy(organizationId), ...matching(filter), Prisma.sql`id between s.low and s.high`];
  return Prisma.sql`${FIRST}
    select e.* from unnest(${spans.map(({ low }) => low)}::bigint[], ${spans.map(({ high }) => high)}::bigint[])
      with ordinality s(low, high, place)
    cross join lateral (
      select ${COLUMNS} from audit_entries where ${Prisma.join(conditions, ' and ')}
      order by organization_id ${direction}, id ${direction} limit ${limit}) e
    order by s.place, e.id ${direction} limit ${limit}${LAST}`;
}

const ownedBy = (organizationId: number) => Prisma.sql`organization_id = any(${[organizationId]}::int[])`;

/** The filters that are used, without the bounds of ids that make them fast. */
function matching({ noun, actor, name, since, until }: AuditFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (noun !== null) conditions.push(Prisma.sql`noun = ${noun}`);
  if (actor !== null) conditions.push(Prisma.sql`actor = ${actor}`);
  if (name !== null) conditions.push(Prisma.sql`name like ${`${name.replace(/[\\%_]/g, '\\$&')}%`}`);
  if (since !== null) conditions.push(Prisma.sql`at >= ${new Date(since)}`);
  if (until !== null) conditions.push(Prisma.sql`at < ${new Date(until)}`);
  return conditions;
}
