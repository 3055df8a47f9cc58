import { Prisma } from '../generated/prisma/client.js';
import { aroundRows, jsonBytes } from '../prisma/next-rows.js';

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
const BYTES = Prisma.raw(jsonBytes('changes'));

/**
 * Entries of an organization, after a cursor. Only filters that are used stand in the text, and an index serves each of them. The array makes
 * PostgreSQL use an index of the organization: see `nextRows`.
 */
export function listAuditEntries(organizationId: number, filter: AuditFilter, after: number | null, limit: number) {
  const { order, noun, actor, name, since, until } = filter;
  const isNewestFirst = order === 'desc';
  const direction = Prisma.raw(order === 'desc' ? 'desc' : 'asc');
  const own = Prisma.sql`organization_id = any(${[organizationId]}::int[])`;
  const conditions = [own];
  if (after !== null) conditions.push(isNewestFirst ? Prisma.sql`id < ${after}` : Prisma.sql`id > ${after}`);
  if (noun !== null) conditions.push(Prisma.sql`noun = ${noun}`);
  if (actor !== null) conditions.push(Prisma.sql`actor = ${actor}`);
  if (name !== null) conditions.push(Prisma.sql`name like ${`${name.replace(/[\\%_]/g, '\\$&')}%`}`);
  // The list is in the order of ids: the first and the last entry of a time become bounds of ids.
  if (since !== null) {
    conditions.push(Prisma.sql`at >= ${new Date(since)} and id > coalesce((
      select id from audit_entries where ${own} and at < ${new Date(since)}::timestamptz - ${LONGEST}
      order by organization_id desc, at desc limit 1), 0)`);
  }
  if (until !== null) {
    conditions.push(Prisma.sql`at < ${new Date(until)} and id < coalesce((
      select id from audit_entries where ${own} and at > ${new Date(until)}::timestamptz + ${LONGEST}
      order by organization_id, at limit 1), ${Number.MAX_SAFE_INTEGER})`);
  }
  return Prisma.sql`${FIRST}
    select id, at, key_id "keyId", actor, request_id "requestId", address, verb, noun, name, count, changes, ${BYTES} bytes
    from audit_entries where ${Prisma.join(conditions, ' and ')}
    order by organization_id ${direction}, id ${direction} limit ${limit}${LAST}`;
}
