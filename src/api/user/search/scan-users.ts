import type { Database } from '../../../platform/database/database.js';
import { Prisma } from '../../../platform/database/generated/prisma/client.js';
import type { FoundRows } from '../../../platform/http/list/listing.js';
import { afterId } from '../../../platform/http/list/page.js';

/** Looking through a million users takes some seconds: a page ends before. */
const LONGEST_MS = 500;

/** The first part is small, because custom fields may be large. A part that was fast is followed by one of twice the size. */
const FIRST_PART = 500;
const LARGEST_PART = 20_000;
const FAST_MS = 100;

/** Each follows an index that begins with the organization. `after` is the place of the last user before. */
const ORDERS = {
  id: { place: 'id', by: 'organization_id, id', next: (after: string | null) => Prisma.sql`id > ${afterId(after)}` },
  desc: {
    place: 'id',
    by: 'organization_id desc, id desc',
    next: (after: string | null) => (after === null ? Prisma.sql`true` : Prisma.sql`id < ${afterId(after)}`),
  },
  email: {
    place: 'email_key',
    by: 'organization_id, email_key',
    next: (after: string | null) => Prisma.sql`email_key > ${after ?? ''}`,
  },
} as const;
type UserOrder = keyof typeof ORDERS;

export interface ScannedUser {
  id: number;
  /** In the order. */
  place: string;
}

export interface Scan {
  organizationId: number;
  /** About a user `u`; null: all users. */
  condition: Prisma.Sql | null;
  order: UserOrder;
  after: string | null;
  limit: number;
}

type Part = Scan & { size: number };

/** The next users. The array leads to the index over both columns: see `nextRows`. */
function nextUsers(columns: string, { organizationId, order, after, size }: Part): Prisma.Sql {
  const { next, by } = ORDERS[order];
  return Prisma.sql`
    select ${Prisma.raw(columns)} from users
    where organization_id = any(${[organizationId]}) and ${next(after)} order by ${Prisma.raw(by)} limit ${size}`;
}

/** It ends with the user that is the last one wanted, wherever the part ends. */
const matching = (part: Part, limit: number) => Prisma.sql`
  select u.id, u.email, u.first_name "firstName", u.last_name "lastName", u.locked, u.${Prisma.raw(ORDERS[part.order].place)}::text place
  from (${nextUsers('*', part)}) u
  where ${part.condition ?? Prisma.sql`true`}
  order by ${Prisma.raw(ORDERS[part.order].by)} limit ${limit}`;

/** The last user of the part; none: it has all that are left. */
const endOf = (part: Part) => Prisma.sql`
  select place::text from (${nextUsers(`${ORDERS[part.order].place} place, organization_id, id, email_key`, part)}) u offset ${part.size - 1}`;

/**
 * Looks for users `u` that meet a condition for which there is no index. It reads part by part, until it has found enough or the time is over, and
 * never a user of another organization.
 */
export async function scanUsers<Row extends ScannedUser>(
  database: Database,
  { after: from, limit, ...scan }: Scan,
): Promise<FoundRows<Row>> {
  const rows: Row[] = [];
  const until = Date.now() + LONGEST_MS;
  for (let [after, size] = [from, FIRST_PART]; ;) {
    const began = Date.now();
    const part = { ...scan, after, limit, size };
    rows.push(...(await database.pool.query<Row>(matching(part, limit - rows.length))).rows);
    if (rows.length === limit) return { rows, goesOnAt: null };
    const [end] = (await database.pool.query<{ place: string }>(endOf(part))).rows;
    if (!end) return { rows, goesOnAt: null };
    if (Date.now() > until) return { rows, goesOnAt: end.place };
    after = end.place;
    if (Date.now() - began < FAST_MS) size = Math.min(size * 2, LARGEST_PART);
  }
}
