import { generate } from '../../bench/generate.mjs';
import { Database } from '../../bench/world/database.mjs';

/** Tables with fewer rows may be read as a whole: that costs less than an index. */
const LARGE = 900;

const SIZE = { organizations: 1000, users: 10_000, deliveries: 60_000 };

/** One tenant has a quarter of all users; and so much of everything else that a list may hold. */
const MANY = 3000;

// Jobs of triggers with a `send_at`, a month ahead.
const WAITING_JOBS = `
  insert into jobs (task, organization_id, lane, state, run_at, payload)
  select 'deliver', 1, 'waiting', 'scheduled', now() + interval '30 days', '{}' from generate_series(1, 10000) n`;

const LOUD = `
  with o as (insert into organizations (slug, name) values ('loud', 'Loud') returning id),
  p as (insert into projects (organization_id, slug, name) select id, 'p', 'P' from o returning *),
  a as (insert into applications (organization_id, project_id, slug, name) select organization_id, id, 'a', 'A' from p returning *),
  e as (insert into events (organization_id, application_id, slug, name) select organization_id, id, 'told', 'Told' from a returning *),
  l as (
    insert into distribution_lists (organization_id, project_id, name, name_key)
    select organization_id, id, 'List ' || n, 'list ' || n from p, generate_series(1, ${MANY}) n returning *
  ), u as (
    insert into users (organization_id, email, email_key)
    select id, email, email from o, generate_series(1, ${MANY}) n, concat('user', n, '@loud.test') email returning *
  ), d as (
    insert into addresses (organization_id, user_id, name, value) select organization_id, id, 'email', email from u returning *
  ), m as (
    insert into members (organization_id, list_id, user_id, address_id)
    select d.organization_id, (select min(id) from l), user_id, d.id from d
  ), i as (
    insert into inbox_messages (organization_id, user_id, subject, text, html)
    select organization_id, (select min(id) from u), 'S', 'T', '' from u
  ), c as (
    insert into occurrences (id, organization_id, event_id, context, options, status, decisions)
    select uuidv7(), organization_id, e.id, '{}', '{}', 'expanded', '[]' from e, generate_series(1, ${MANY}) returning *
  ), k as (
    insert into idempotency_keys (event_id, key, body_hash, occurrence_id) select event_id, id::text, '', id from c
  )
  insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
  select (select min(id::text)::uuid from c), organization_id, 1, 1, id, 'sent' from u`;

const SECRETS = `
  insert into signing_secrets (organization_id, kid, name, secret) select id, 'kid ' || id, 'web', '' from organizations`;

/** A database with much of everything, so that PostgreSQL plans as it does in production; answers which tables are large. */
export async function grow(databaseUrl: string): Promise<string[]> {
  const database = await Database.connect(databaseUrl);
  try {
    await generate(database, SIZE, () => undefined);
    await database.query(WAITING_JOBS);
    await database.query(LOUD);
    await database.query(SECRETS);
    await database.query('vacuum analyze');
    const sql = `select relname "table" from pg_class where relkind = 'r' and relnamespace::regnamespace::text = 'public' and reltuples >= $1 order by 1`;
    return (await database.query(sql, [LARGE])).map(({ table }: { table: string }) => table);
  } finally {
    await database.close();
  }
}
