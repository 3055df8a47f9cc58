import { Notice } from '../../platform/database/notice.js';
import { insertDigestJobs } from '../../platform/queue/job.sql.js';
import { taken } from './limit-reservations.sql.js';

/**
 * Locks digests whose time has come, some of every organization: one with a million of them does not delay the others. $1: how many of
 * an organization, $2: how many.
 */
export const LOCK_DUE = `
  with recursive owners as (
    (select organization_id from digests order by organization_id limit 1)
    union all
    select n.organization_id from owners o cross join lateral (
      select d.organization_id from digests d where d.organization_id > o.organization_id order by d.organization_id limit 1
    ) n
  )
  select d.* from owners o cross join lateral (
    select id, user_id "userId", settings
    from digests where organization_id = o.organization_id and due_at <= now() order by due_at limit $1 for update skip locked
  ) d
  where not exists (select from organization_freezes f where f.organization_id = o.organization_id)
  limit $2`;

/** $1: a digest that could not be closed. */
export const POSTPONE = `update digests set due_at = now() + interval '1 minute' where id = $1`;

/**
 * The items of locked digests, in order. Items that are being canceled are left out, and stay for later. Not part of the statement before: this one
 * must see what was added until the lock was taken. $1: digests.
 */
export const LOAD_ITEMS = `
  select d.id, d.digest_id digest, d.occurrence_id occurrence, o.created_at "createdAt", o.options->>'expires_at' "expiresAt",
         length(o.context::text) bytes
  from deliveries d join occurrences o on o.id = d.occurrence_id
  where d.digest_id = any($1::bigint[]) and d.status = 'pending' and o.status <> 'canceled'
  order by d.digest_id, d.id
  for update of d skip locked`;

/**
 * The digests with a limit of their rule or, with `ofOrganization`, of their organization: whether there is a place for each, and its period. Their
 * users are locked. $1: digests.
 */
export function placesOfDigests({ ofOrganization }: { ofOrganization: boolean }): string {
  const limit = `d.settings->'${ofOrganization ? 'organization_limit' : 'rule_limit'}'`;
  const same = ofOrganization
    ? { notification: '0', channel: '0', key: `''` }
    : { notification: 'd.notification_id', channel: 'd.channel_id', key: `coalesce(d.settings->>'limit_key', '')` };
  const period = { user: 'd.user_id', since: 'p.since', ...same };
  return `
  select d.id, p.since, p.since + concat('1 ', ${limit}->>'per')::interval "until",
         ${taken(period)} + row_number() over (partition by ${Object.values(period).join(', ')} order by d.id) > (${limit}->>'count')::int "isAbove"
  from digests d cross join lateral (select period_start(now(), ${limit}->>'per', d.settings->>'zone') since) p
  where d.id = any($1::bigint[]) and ${limit} <> 'null'`;
}

/**
 * Sends digests: each becomes an occurrence of its own with one delivery, which carries the items. A digest with items left stays open. One
 * statement, so a crash neither loses nor repeats an item. $1: `ClosedDigest`s as JSON.
 */
export const CLOSE = `
  with closed as materialized (
    select * from jsonb_to_recordset($1::jsonb)
      c(digest bigint, occurrence uuid, last bigint, carried bigint[], expired bigint[], capped bigint[], capped_by jsonb, shown uuid[], facts jsonb, until timestamptz,
        limit_key text, rule_since timestamptz, organization_since timestamptz)
  ), sent as materialized (
    select c.*, d.organization_id, d.notification_id, d.channel_id, d.user_id, d.address_id, o.event_id, o.ruleset_id, o.context, o.decisions
    from closed c join deliveries d on d.id = c.last join occurrences o on o.id = d.occurrence_id
  ), made as (
    insert into occurrences (id, organization_id, event_id, ruleset_id, context, options, status, expanded_at, decisions, digest)
    select s.occurrence, s.organization_id, s.event_id, s.ruleset_id, s.context, '{}', 'expanded', now(),
           (select jsonb_agg(rule || jsonb_build_object('channels', jsonb_path_query_array(rule, '$.channels[*] ? (@.channel == $id)', jsonb_build_object('id', s.channel_id))))
            from jsonb_array_elements(s.decisions) rule where (rule->>'notification')::int = s.notification_id),
           s.facts || jsonb_build_object('items', (
             select jsonb_agg(x.context order by place) from unnest(s.shown) with ordinality i(id, place) join occurrences x on x.id = i.id))
    from sent s
  ), carriers as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, status)
    select occurrence, organization_id, notification_id, channel_id, user_id, address_id, 'pending' from sent
    returning id, occurrence_id, organization_id, notification_id, channel_id, user_id
  ), places as (
    insert into message_places (delivery_id, organization_id, notification_id, channel_id, user_id, key, since)
    select k.id, k.organization_id, k.notification_id, k.channel_id, k.user_id, s.limit_key, s.rule_since
    from carriers k join sent s on s.occurrence = k.occurrence_id where s.rule_since is not null
    union all
    select k.id, k.organization_id, 0, 0, k.user_id, '', s.organization_since
    from carriers k join sent s on s.occurrence = k.occurrence_id where s.organization_since is not null
  ), jobs as (
    ${insertDigestJobs('from carriers')}
    returning id
  ), ended as (
    update deliveries d
    set status = 'skipped', gate = i.gate::gate, carried_by = i.carrier, evidence = i.evidence, digest_id = null, waits_for = null, lot = null
    from (
      select unnest(c.carried) id, 'digested' gate, k.id carrier, null::jsonb evidence
      from closed c join carriers k on k.occurrence_id = c.occurrence
      union all select unnest(expired), 'expired', null, null from closed
      union all select unnest(capped), 'capped', null, jsonb_build_object('limit', capped_by) from closed
    ) i
    where d.id = i.id and d.status = 'pending'
    returning d.id
  ), open as (
    select c.digest, c.until, (
      select count(*)::int from deliveries d
      where d.digest_id = c.digest and d.status = 'pending' and d.id <> all(c.carried || c.expired || c.capped)) items
    from closed c
  ), kept as (
    update digests g set items = o.items, opened_at = now(),
      due_at = coalesce(o.until, now() + least(g.due_at - g.opened_at, interval '1 day'))
    from open o where g.id = o.digest and o.items > 0
  ), removed as (
    delete from digests g using open o where g.id = o.digest and o.items = 0
  )
  select pg_notify('${Notice.Jobs.name}', '${Notice.Jobs.expand}') from jobs limit 1`;
