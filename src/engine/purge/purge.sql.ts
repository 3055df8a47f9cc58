import { UNREFERENCED } from '../file/file.sql.js';

/** Only the session that holds this lock purges. */
export const PURGE_LOCK = 7_261_005;

/**
 * The events with occurrences older than their retention. Ids are ordered by time: an index finds the oldest occurrence of an
 * event in one step, and all occurrences before a time are one range of that index. $1: days for events without a retention of their own.
 */
export const EVENTS_TO_PURGE = `
  select id, before, bound
  from (
    select id, before, (lpad(to_hex(floor(extract(epoch from before) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid bound
    from (select id, now() - make_interval(hours => 24 * coalesce(retention_days, $1)) before from events) kept
  ) e
  where (select o.id from occurrences o where o.event_id = e.id order by o.id limit 1) < bound`;

/** Old occurrences of an event that are finished, or were held and never approved. A canceled one does not wait for its time. $1: event, $2: after this id, $3: below this id, $4: created before, $5: how many. */
export const OLD_OCCURRENCES = `
  select id, case when canceled_at < $4 then null else options->'send_at' end "sendAt" from occurrences o
  where event_id = $1 and id > $2 and id < $3 and created_at < $4 and status in ('expanded', 'canceled', 'failed', 'held') and open_steps is null
    and (select id from deliveries d where d.occurrence_id = o.id and d.status = 'pending' limit 1) is null
  order by id limit $5`;

/**
 * Deletes some deliveries of these occurrences with their attempts and messages. A delivery that is pending again or locked stays, and
 * so does its occurrence. $1: occurrences, $2: how many.
 */
export const DELETE_DELIVERIES = `
  delete from deliveries where id = any(array(
    select d.id from unnest($1::uuid[]) o(id), lateral (
      select id from deliveries where occurrence_id = o.id and status <> 'pending'
      order by notification_id, channel_id, user_id limit $2 for update skip locked
    ) d
    limit $2))`;

/** Deletes occurrences without deliveries, unless they were approved or retried meanwhile. */
export const DELETE_OCCURRENCES = `
  delete from occurrences o
  where id = any($1::uuid[]) and status not in ('pending', 'expanding') and (select id from deliveries d where d.occurrence_id = o.id limit 1) is null`;

/** The rulesets of an event that are kept as its revisions, also if no occurrence refers to them: that in force, and those replaced last. */
export const KEPT_REVISIONS = 500;

/**
 * A ruleset was replaced long ago. The transaction that replaced it has ended by now, because `PrismaService` allows it 24 hours. So no
 * trigger that is under way still refers to the ruleset.
 */
const WAS_REPLACED = `superseded_at < now() - interval '25 hours'`;

/**
 * Events with more rulesets than are kept as revisions, and when the oldest of these was replaced. By time and not by id: after a move, newer
 * rulesets may have lower ids. Reads entries of a partial index only.
 */
export const EVENTS_WITH_OLD_RULESETS = `
  with recursive event as (
    (select event_id from rulesets where ${WAS_REPLACED} order by event_id limit 1)
    union all
    select n.event_id from event cross join lateral (
      select event_id from rulesets r where r.event_id > event.event_id and ${WAS_REPLACED} order by event_id limit 1
    ) n
  )
  select event_id id, kept.since from event cross join lateral (
    select superseded_at since from rulesets r where r.event_id = event.event_id and superseded_at is not null
    order by r.event_id desc, superseded_at desc offset ${KEPT_REVISIONS - 2} limit 1
  ) kept
  where exists (select from rulesets r where r.event_id = event.event_id and superseded_at < kept.since and ${WAS_REPLACED})`;

/** Keeps other changes of the event's rules waiting. No row: another change has it, and the next purge will try again. $1: event. */
export const LOCK_EVENT = `select id from events where id = $1 for no key update skip locked`;

/** Rulesets that no occurrence refers to. $1: event, $2: after this id, $3: how many, $4: replaced before. */
export const DELETE_RULESETS = `
  with oldest as (
    select id from rulesets where event_id = $1 and id > $2 and superseded_at < $4 and ${WAS_REPLACED} order by id limit $3
  ), gone as (
    delete from rulesets where id = any(array(
      select id from oldest where not exists (select from occurrences o where o.ruleset_id = oldest.id)))
    returning id
  )
  select (select count(*)::int from gone) gone, (select max(id) from oldest) last`;

/** Versions that no ruleset of their event refers to. $1: event, $2: how many. */
export const DELETE_RULE_VERSIONS = `
  delete from rule_versions where id = any(array(
    select id from rule_versions
    where event_id = $1 and id not in (select unnest(versions) from rulesets where event_id = $1) limit $2))`;

/**
 * Ids are ordered by time, so old messages come first and need no other index. A snoozed message stays: it returns as a new one. $1: days, $2: after
 * this id, $3: how many.
 */
export const DELETE_INBOX_MESSAGES = `
  with oldest as (
    select id, created_at < now() - make_interval(hours => 24 * $1) "isOld", snoozed_until from inbox_messages where id > $2 order by id limit $3
  ), gone as (
    delete from inbox_messages where id = any(array(select id from oldest where "isOld" and snoozed_until is null)) and snoozed_until is null returning id
  )
  select (select count(*)::int from gone) gone, (select count(*)::int from oldest where "isOld") old, (select max(id) from oldest) last`;

/** The longest period of a limit is a week. $1: how many. */
export const DELETE_MESSAGE_PLACES = `
  delete from message_places where ctid = any(array(
    select ctid from message_places where since < now() - interval '8 days' limit $1 for update skip locked))`;

/** A key is ignored after 24 hours. It is kept for one more hour, for a request that has just found it and still has to read it. $1: how many. */
export const DELETE_IDEMPOTENCY_KEYS = `
  delete from idempotency_keys where ctid = any(array(
    select ctid from idempotency_keys where created_at < now() - interval '25 hours' limit $1 for update skip locked))`;

/** Drafts that were not saved for long. $1: how many. */
export const DELETE_DRAFTS = `
  delete from drafts where id = any(array(
    select id from drafts where saved_at < now() - interval '90 days' limit $1 for update skip locked))`;

/** Uploads that have expired. $1: how many. */
export const DELETE_UPLOADS = `
  delete from uploads where id = any(array(select id from uploads where expires_at <= now() limit $1 for update skip locked))`;

const UNUSED = `f.created_at < now() - interval '1 hour' and ${UNREFERENCED}`;

/**
 * Locks files that nothing refers to, the oldest ids after $1 first. A trigger that refers to one at this moment has it locked. Files of the last hour
 * may still be on their way. $2: how many.
 */
export const LOCK_UNUSED_FILES = `select f.id from files f where ${UNUSED} and f.id > $1 order by f.id limit $2 for update skip locked`;

/** Deletes the files that are still unused, now that nobody can refer to them any more. $1: ids. */
export const DELETE_UNUSED_FILES = `delete from files f where f.id = any($1::uuid[]) and ${UNUSED}`;

/**
 * The triggers that ended steps, of applications without an older occurrence: the clocks of processes, which make the ids, may differ by a day. Until then
 * steps may look one up, and explain says which it was. $1: how many.
 */
export const DELETE_RESOLUTIONS = `
  with recursive application as (
    (select application_id id from thread_resolutions order by application_id limit 1)
    union all
    select n.application_id from application cross join lateral (
      select application_id from thread_resolutions r where r.application_id > application.id order by application_id limit 1
    ) n
  )
  delete from thread_resolutions where ctid = any(array(
    select r.ctid from application, lateral (
      select min(first.created_at) at from events e, lateral (
        select created_at from occurrences o where o.event_id = e.id order by o.id limit 1
      ) first
      where e.application_id = application.id
    ) oldest, lateral (
      select ctid from thread_resolutions r
      where r.application_id = application.id and r.at < coalesce(oldest.at, now()) - interval '1 day' order by r.at limit $1 for update skip locked
    ) r limit $1))`;

/** Sessions that have ended by themselves, and sign-in links that nobody used. $1: how many. */
export const DELETE_SESSIONS = `
  delete from api_keys where id = any(array(
    select id from api_keys
    where via is not null and (expires_at <= now() or last_used_at <= now() - interval '12 hours') limit $1))`;

/**
 * Devices that no app has registered for so long that Android has dropped them, too. Locks the addresses first, as a registration does, and deletes the
 * devices before them, so that the audit log notes their number and not each one. $1: how many.
 */
export const DELETE_SILENT_DEVICES = `
  with silent as materialized (
    select a.id from devices d join addresses a on a.id = d.address_id
    where d.last_seen_at < now() - interval '270 days' limit $1 for update of a skip locked
  ), gone as (
    delete from devices d using silent, (select set_config('carillon.by', '{"actor": "purge"}', true)) author
    where d.address_id = silent.id returning d.address_id
  )
  delete from addresses where id = any(array(select address_id from gone))`;

/** Figures whose hour, day or whole month is too old. Of each organization, because their index begins with it. $1: days, $2: how many. */
const deleteFigures = (table: string, time: 'hour' | 'day' | 'month') => `
  delete from ${table} where ctid = any(array(
    select f.ctid from organizations o cross join lateral (
      select ctid from ${table}
      where organization_id = o.id and ${time} < now() - make_interval(hours => 24 * $1${time === 'month' ? ', months => 1' : ''}) limit $2) f
    limit $2))`;
export const DELETE_FIGURES = [
  deleteFigures('figures', 'hour'),
  deleteFigures('domain_figures', 'hour'),
  deleteFigures('daily_figures', 'day'),
  deleteFigures('daily_domain_figures', 'day'),
  deleteFigures('monthly_figures', 'month'),
  deleteFigures('monthly_domain_figures', 'month'),
];

/** What users muted long ago. $1: how many. */
export const DELETE_MUTED_THREADS = `
  with author as materialized (select set_config('carillon.by', '{"actor": "purge"}', true))
  delete from muted_threads using author where id = any(array(
    select id from muted_threads where ends_at <= now() limit $1 for update skip locked))`;

/** Counts of failures that are too old to count. $1: days, $2: how many. */
export const DELETE_SOFT_FAILURES = `
  delete from soft_failures where ctid = any(array(
    select ctid from soft_failures where since < now() - make_interval(days => $1) limit $2 for update skip locked))`;

/** Pages at the end of the table that have no summary yet. */
export const SUMMARIZE_DELIVERIES = `select summarize_deliveries() made`;

export const PAGES_OF_DELIVERIES = `select (pg_relation_size('deliveries') / current_setting('block_size')::int)::int pages`;

/** Makes the summaries of some pages again. Until then, these pages are read for everyone. $1: first page, $2: last page. */
export const REFRESH_DELIVERY_INDEX = `select refresh_delivery_index($1::bigint, $2::bigint) made`;
