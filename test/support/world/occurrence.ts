import type { Pool } from 'pg';
import { uuidV7 } from '../../../src/platform/field/uuid-v7.js';

export interface StoredOccurrence {
  id: string;
  deliveries: number[];
}

/**
 * Stores an expanded occurrence of the organization's `order-paid` without any pipeline: so many rules, and for each a delivery
 * to Ann over `mail` with one attempt.
 */
export async function storeOccurrence(
  pool: Pick<Pool, 'query'>,
  org: string,
  rules: number,
): Promise<StoredOccurrence> {
  const id = uuidV7();
  const decisions = Array.from({ length: rules }, (_, index) => ({
    notification: index + 1,
    name: `Rule ${index + 1} of ${org}`,
    verdict: 'matched',
    channels: [],
  }));
  const { rows } = await pool.query<{ id: string }>(
    `with event as (
       select e.id, e.organization_id from events e join organizations o on o.id = e.organization_id
       where o.slug = $2 and e.slug = 'order-paid'
     ), occurrence as (
       insert into occurrences (id, organization_id, event_id, context, options, status, decisions)
       select $1, organization_id, id, '{}', '{}', 'expanded', $3 from event returning id, organization_id
     ), made as (
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, attempts)
       select o.id, o.organization_id, rule, c.id, u.id, 'sent', 1
       from occurrence o
       join channels c on c.organization_id = o.organization_id and c.slug = 'mail'
       join users u on u.organization_id = o.organization_id and u.email = 'ann@' || $2::text || '.test',
       generate_series(1, $4::int) rule
       returning id
     ), tried as (
       insert into attempts (delivery_id, number, at, duration_ms, outcome, answer) select id, 1, now(), 5, 'sent', 'ok' from made
     )
     select id from made order by id`,
    [id, org, JSON.stringify(decisions), rules],
  );
  return { id, deliveries: rows.map((row) => Number(row.id)) };
}
