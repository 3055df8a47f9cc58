import type { Client } from 'pg';
import { compareTables } from '../../../src/operate/move/checksum.js';
import { readCatalog } from '../../../src/operate/move/catalog.js';
import { Side } from '../../../src/operate/move/side.js';
import { ownTables } from '../../../src/operate/move/tables.js';

const PER_OCCURRENCE = 100;
const LOT = 1000;

// Finished history of the crowd: each occurrence a second after the one before it.
const OCCURRENCES = `
  insert into occurrences (id, organization_id, event_id, context, options, status, decisions, created_at, expanded_at, ruleset_id)
  select uuidv7(at - now()), e.organization_id, e.id, jsonb_build_object('order', n), '{}', 'expanded', '[]', at, at, e.ruleset_id
  from events e, generate_series($1::int, $2::int) n, lateral (select now() - make_interval(secs => 60 + $3::int - n) as at) t
  returning id`;

const DELIVERIES = `
  with made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, attempts, pending_since)
    select o.id, n.organization_id, n.id, t.channel_id, i, case when i % 97 = 0 then 'dead' else 'sent' end::delivery_status, 1, now()
    from unnest($1::uuid[]) o(id) cross join generate_series(1, ${PER_OCCURRENCE}) i
    cross join notifications n join templates t on t.notification_id = n.id
    returning id, user_id, status
  ), tried as (
    insert into attempts (delivery_id, number, at, duration_ms, outcome, answer)
    select id, 1, now(), 12, case status when 'dead' then 'rejected' else 'sent' end::attempt_outcome, '200 OK' from made
  )
  insert into messages (delivery_id, recipient, subject, text, html)
  select id, '', 'About order ' || id, repeat('The order is on its way. ', 8), '' from made`;

const INBOX = `
  insert into inbox_messages (organization_id, user_id, subject, text, html)
  select organization_id, id, 'Hello', 'There', '' from users`;

/** Gives the organization of `createCrowd` finished deliveries, with attempts and messages, written with SQL. */
export async function giveFinished(client: Client, deliveries: number): Promise<void> {
  const occurrences = Math.ceil(deliveries / PER_OCCURRENCE);
  await client.query('set session_replication_role = replica');
  await client.query(INBOX);
  for (let from = 1; from <= occurrences; from += LOT) {
    const to = Math.min(from + LOT - 1, occurrences);
    const { rows } = await client.query<{ id: string }>(OCCURRENCES, [from, to, occurrences]);
    await client.query(DELIVERIES, [rows.map(({ id }) => id)]);
  }
  await client.query('analyze');
}

/** The tables in which an organization differs between two databases. */
export async function differences(source: string, target: string, organizationId: number): Promise<string[]> {
  const sides = [await Side.connect('source', source), await Side.connect('target', target)] as const;
  try {
    const tables = ownTables(await readCatalog(sides[0]));
    return await compareTables(...sides, tables, organizationId);
  } finally {
    for (const side of sides) await side.end();
  }
}
