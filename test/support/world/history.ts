import { withClient } from './crowd.js';

const PER_OCCURRENCE = 100;
const LOT = 5_000;

const PEOPLE = `
  insert into users (organization_id, email, email_key, first_name, last_name)
  select o.id, email, email, 'Person', n::text from organizations o, generate_series(1, 1000) n, concat('person', n, '@example.com') email
  where o.slug = 'demo'`;

// The ids of occurrences hold their time: one every second, the newest a minute ago.
const OCCURRENCES = `
  insert into occurrences (id, organization_id, event_id, context, options, status, decisions, created_at, expanded_at, ruleset_id)
  select uuidv7(at - now()), e.organization_id, e.id, jsonb_build_object('order', 'H-' || n, 'total', n % 900), '{}', 'expanded', '[]', at, at, e.ruleset_id
  from events e, generate_series($1::int, $2::int) n, lateral (select now() - make_interval(secs => 60 + $3::int - n) as at) t
  where e.slug = 'order-paid'
  returning id`;

const DELIVERIES = `
  insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, attempts, pending_since)
  select o.id, n.organization_id, n.id, t.channel_id, u.id, case when u.id % 97 = 0 then 'dead' else 'sent' end::delivery_status, 1, now()
  from unnest($1::uuid[]) with ordinality o (id, nth)
  cross join (select min(id) as first from users where last_name ~ '^[0-9]+$') f
  cross join generate_series(0, ${PER_OCCURRENCE - 1}) i
  cross join lateral (select f.first + (o.nth * 7 + i) % 1000 as id) u
  cross join (select * from notifications order by id limit 1) n
  join templates t on t.notification_id = n.id`;

/** Gives the demo's event so many deliveries to a thousand users, written with SQL. */
export async function giveHistory(databaseUrl: string, deliveries: number): Promise<void> {
  const occurrences = Math.ceil(deliveries / PER_OCCURRENCE);
  await withClient(databaseUrl, async (client) => {
    await client.query('set session_replication_role = replica'); // rows made by us need no foreign key checks
    await client.query(PEOPLE);
    for (let from = 1; from <= occurrences; from += LOT) {
      const to = Math.min(from + LOT - 1, occurrences);
      const { rows } = await client.query<{ id: string }>(OCCURRENCES, [from, to, occurrences]);
      await client.query(DELIVERIES, [rows.map(({ id }) => id)]);
    }
    await client.query('vacuum analyze'); // also fills the index of each user's deliveries
  });
}
