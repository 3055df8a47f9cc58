import { IN_DIGEST, addToDigests, DUE } from './gather.sql.js';

/** First key of the advisory lock of a user whose messages take places; the second is the id of the user. */
const PLACES_LOCK = 7261023;

/** Locks users until the commit, always in the same order. A statement of its own: the next one sees every place taken before. $1: their ids. */
export const LOCK_USERS = `
  select pg_advisory_xact_lock(${PLACES_LOCK}, id) from (select distinct unnest($1::int[]) id order by 1) person`;

/** SQL for what a limit counts together. */
interface PeriodSql {
  notification: string;
  channel: string;
  user: string;
  key: string;
  since: string;
}

/**
 * How many places of a period are taken. The place of a message that is dead or was not sent is free again, unless the message may have arrived.
 * The columns that are given must name their tables: those of `message_places` have the same names.
 */
export const taken = ({ notification, channel, user, key, since }: PeriodSql) => `
  (select count(*) from message_places place
   where place.user_id = ${user} and place.notification_id = ${notification} and place.since = ${since} and place.channel_id = ${channel}
     and place.key = ${key}
     and (place.is_kept or not exists (select from deliveries ended where ended.id = place.delivery_id and ended.status in ('dead', 'skipped'))))`;

/** The columns of `Asked`. */
const ASKED = `id bigint, organization int, notification int, channel int, user_id int, zone text, digest jsonb, digest_key text, rule_limit jsonb,
         limit_key text, organization_limit jsonb, may_gather bool`;

/** Messages that ask, oldest first, with the clock of their user. $1: `Asked`s as JSON. */
const ASKING = `
    select row_number() over (order by a.id) n, a.id, a.organization, a.notification, a.channel, a.user_id, a.digest, a.digest_key, a.rule_limit,
           a.limit_key, a.organization_limit, a.may_gather, z.zone, period_start(now(), rule_limit->>'per', z.zone) since_of_rule,
           period_start(now(), organization_limit->>'per', z.zone) since_of_organization
    from jsonb_to_recordset($1::jsonb) a(${ASKED})
    left join users u on u.id = a.user_id
    cross join lateral (select coalesce(u.time_zone, a.zone) zone) z`;

const END_OF_RULE = `since_of_rule + concat('1 ', rule_limit->>'per')::interval`;

/** The limit that kept a message back, for explain. */
const EVIDENCE = `case when above_rule then jsonb_build_object('of', 'notification', 'count', rule_limit->'count', 'per', rule_limit->'per', 'since', since_of_rule)
                else jsonb_build_object('of', 'organization', 'count', organization_limit->'count', 'per', organization_limit->'per', 'since', since_of_organization) end`;

/**
 * Gives messages their places, the oldest first. Returns those that get none: one that is dropped is written as `capped`, and one that is already
 * a digest, or cannot be gathered, waits until the period is over. A message that has a place, because an attempt was made, keeps it. The users
 * are locked.
 */
export const TAKE_PLACES = `
  with asking as materialized (${ASKING}
    where not exists (select from message_places p where p.delivery_id = a.id)
  ), by_rule as materialized (
    select a.*, coalesce(rule_limit is not null and ${taken({
      notification: 'a.notification',
      channel: 'a.channel',
      user: 'a.user_id',
      key: 'a.limit_key',
      since: 'a.since_of_rule',
    })} + row_number() over (partition by notification, channel, user_id, limit_key, since_of_rule order by n) > (rule_limit->>'count')::int, false) above_rule
    from asking a
  ), by_organization as materialized (
    select a.*, coalesce(organization_limit is not null and not above_rule and ${taken({
      notification: '0',
      channel: '0',
      user: 'a.user_id',
      key: `''`,
      since: 'a.since_of_organization',
    })} + row_number() over (partition by user_id, above_rule, since_of_organization order by n) > (organization_limit->>'count')::int, false) above_organization
    from by_rule a
  ), taken as (
    insert into message_places (delivery_id, organization_id, notification_id, channel_id, user_id, key, since)
    select id, organization, notification, channel, user_id, limit_key, since_of_rule
    from by_organization where rule_limit is not null and not above_rule and not above_organization
    union all
    select id, organization, 0, 0, user_id, '', since_of_organization
    from by_organization where organization_limit is not null and not above_rule and not above_organization
  ), refused as materialized (
    select *, case when above_organization or rule_limit->>'then' = 'drop' then 'capped' when may_gather then 'gathered' else 'waits' end fate
    from by_organization where above_rule or above_organization
  ), written as (
    update deliveries d
    set status = (case when r.fate = 'capped' then 'skipped' else 'pending' end)::delivery_status,
        gate = (case when r.fate = 'capped' then 'capped' end)::gate, evidence = case when r.fate = 'capped' then jsonb_build_object('limit', ${EVIDENCE}) end,
        next_attempt_at = case when r.fate = 'waits' then ${END_OF_RULE} end, waits_for = null, waits_until = null
    from refused r where d.id = r.id and r.fate in ('capped', 'waits') and d.status = 'pending'
  )
  select id, fate from refused`;

/** Gathers messages into digests that are sent when the period of their limit is over, or when their own digest is. $1: `Asked`s as JSON. */
export const GATHER_LATE = `
  with placed as materialized (
    select a.*, case when a.digest is null then a.limit_key else a.digest_key end key from (${ASKING}) a
    join deliveries d on d.id = a.id and d.status = 'pending'
  ), opened as (${addToDigests({
    table: 'placed',
    due: `case when digest is null then ${END_OF_RULE} else ${DUE} end`,
    sendsFirst: false,
  })}
  )
  update deliveries d set digest_id = o.id, waits_for = 'digest', waits_until = null, next_attempt_at = null, lot = ${IN_DIGEST}
  from placed p join opened o on (o.notification_id, o.channel_id, o.user_id, o.key) = (p.notification, p.channel, p.user_id, p.key)
  where d.id = p.id and d.status = 'pending'`;
