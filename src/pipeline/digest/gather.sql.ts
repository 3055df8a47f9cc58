import type { Variant } from '../../ruleset/choices.js';
import { CLOCK_OF, clocks } from '../../ruleset/choices.sql.js';

/** The lot of deliveries that wait in a digest: no deliver job has it, so only the digest sends them. */
export const IN_DIGEST = 0;

/** Counts messages and returns the new counts. The row of a person and a period is locked until the commit, so no two count the same. */
export const count = (columns: string, from: string) => `
    insert into message_counts (organization_id, notification_id, channel_id, user_id, key, since, messages)
    select ${columns}, count(*) ${from} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, notification_id, channel_id, user_id, key, since) do update
      set messages = message_counts.messages + excluded.messages
    returning notification_id, channel_id, user_id, key, since, messages`;

/**
 * The rows of a table expression as one JSON object. PostgreSQL takes our table expressions for one row long, and would join two of them by
 * comparing each row with each: for 1,000 people a look-up in an object takes 3 ms, such a join 200.
 */
const asMap = (table: string, key: string, value: string) =>
  `select coalesce(jsonb_object_agg(concat_ws(' ', ${key}), ${value}), '{}') map from ${table}`;

/** A table `a` with the count of each row. `offset 0`: otherwise the whole object would be sorted with each row. */
const withCount = (table: string, counts: string, key: string) =>
  `(select a.*, (c.map->>concat_ws(' ', ${key}))::int of_${counts} from ${table} a cross join ${counts} c offset 0) a`;

/** Whether a message is above a limit: those of this statement have the last numbers of the new count. */
const isAbove = (limit: string, counts: string, same: string) => `
           a.of_${counts} - count(*) over (partition by ${same}) + row_number() over (partition by ${same} order by a.n) > (${limit}->>'count')::int`;

const SAME_RULE = 'a.notification, a.channel, a.user_id, a.limit_key';
const IS_COUNTED = 'a.rule_limit is not null and a.digest is null';
const IS_COUNTED_BY_ORGANIZATION = 'a.organization_limit is not null and a.digest is null and not a.above_rule';

/** When a digest is sent that is opened now: after its window, at its time of the day, or at the end of the period of the limit. */
const DUE = `case when digest ? 'window' then now() + (digest->>'window')::float8 * interval '1 second'
                when digest ? 'schedule' then first_allowed(now(), zone, '[]', digest->'schedule' || jsonb_build_object(
                  'from', digest->'schedule'->>'at', 'to', to_char((digest->'schedule'->>'at')::time + interval '1 minute', 'HH24:MI')))
                else since_of_rule + concat('1 ', rule_limit->>'per')::interval end`;

/** Of a limit without a digest: what is above it is sent together. */
export const DEFAULT_MAX_ITEMS = 1000;
const MAX_ITEMS = `coalesce((excluded.settings->'digest'->>'max_items')::int, ${DEFAULT_MAX_ITEMS})`;
const SENDS_FIRST = `((excluded.settings->'digest'->>'first' = 'now') is true)`;
const WINDOW = `(excluded.settings->'digest'->>'window')::float8 * interval '1 second'`;

/** Each item starts the window of a sliding digest anew, up to four times its length. */
const SLIDING_DUE = `case when (excluded.settings->'digest'->>'sliding')::bool then least(now() + ${WINDOW}, digests.opened_at + 4 * ${WINDOW})
                      else digests.due_at end`;

/** What the digest keeps for the time when it is closed. */
const SETTINGS = `jsonb_build_object('digest', digest, 'rule_limit', rule_limit, 'limit_key', limit_key, 'organization_limit', organization_limit, 'zone', zone)`;

/** People who were judged, with their target. */
interface JudgedSql {
  /** Has the columns of `CLOCK`, and those of `GATHERING` if messages are counted or gathered. */
  table: string;
  /** A condition on a row `j`. */
  ours: string;
  /** As for `clocks`. */
  spread: string;
}

/** The columns of a delivery that `fated` adds. */
export const FATE_COLUMNS = 'next_attempt_at, waits_for, digest_id, lot';
export const FATE = 'until, waits_for, digest_id, lot';

/** The table expression `fated`: people who were judged, and what becomes of the message to each. */
export const fates = (judged: JudgedSql, { gather }: Pick<Variant, 'gather'>) => `
  clocks as materialized (${clocks(judged.table, judged.spread)}), ${gather ? gathered(judged) : waiting(judged)}`;

/** Some messages wait for the clock of their person. */
const waiting = ({ table, ours }: JudgedSql) => `fated as (
    select j.*, k.until, k.waits_for, null::bigint digest_id, null::bigint lot
    from ${table} j ${CLOCK_OF} and j.gate is null
    where ${ours}
  )`;

/** Messages are counted against the limits, and some are gathered into digests. */
const gathered = ({ table, ours }: JudgedSql) => `periods as materialized (
    select *, period_start(now(), rule_limit->>'per', zone) since_of_rule, period_start(now(), organization_limit->>'per', zone) since_of_organization
    from (select distinct zone, rule_limit, organization_limit from ${table}) z
  ), asked as materialized (
    select row_number() over () n, j.*, p.since_of_rule, p.since_of_organization
    from ${table} j
    join periods p on p.zone is not distinct from j.zone and p.rule_limit is not distinct from j.rule_limit
      and p.organization_limit is not distinct from j.organization_limit
    where j.gate is null and ${ours}
  ), counts_of_rule as (${count(
    `organization, notification, channel, user_id, limit_key, since_of_rule`,
    `from asked a where ${IS_COUNTED}`,
  )}
  ), rule_counts as materialized (${asMap('counts_of_rule', 'notification_id, channel_id, user_id, key', 'messages')}
  ), within_rule as materialized (
    select a.*, ${IS_COUNTED} and ${isAbove('a.rule_limit', 'rule_counts', SAME_RULE)} above_rule
    from ${withCount('asked', 'rule_counts', SAME_RULE)}
  ), counts_of_organization as (${count(
    `organization, 0, 0, user_id, '', since_of_organization`,
    `from within_rule a where ${IS_COUNTED_BY_ORGANIZATION}`,
  )}
  ), organization_counts as materialized (${asMap('counts_of_organization', 'user_id', 'messages')}
  ), limited as materialized (
    select a.*, ${IS_COUNTED_BY_ORGANIZATION}
                and ${isAbove('a.organization_limit', 'organization_counts', `a.user_id, (${IS_COUNTED_BY_ORGANIZATION})`)} above_organization,
           a.digest is not null or (a.above_rule and a.rule_limit->>'then' = 'digest') is_gathered,
           case when a.digest is null then a.limit_key else a.digest_key end key
    from ${withCount('within_rule', 'organization_counts', 'a.user_id')}
  ), placed as materialized (
    select a.*, row_number() over (partition by notification, channel, user_id, key, is_gathered order by n) turn from limited a
  ), opened as (
    insert into digests (organization_id, notification_id, channel_id, user_id, key, due_at, items, settings)
    select organization, notification, channel, user_id, key,
           case when count(*) >= coalesce((min(digest->>'max_items'))::int, ${DEFAULT_MAX_ITEMS}) then now() else min(${DUE}) end,
           count(*) - (min(digest->>'first') is not distinct from 'now')::int, (array_agg(${SETTINGS} order by n desc))[1]
    from placed where is_gathered group by organization, notification, channel, user_id, key order by notification, channel, user_id, key
    on conflict (notification_id, channel_id, user_id, key) do update
      set items = digests.items + excluded.items + ${SENDS_FIRST}::int,
          due_at = case when digests.items + excluded.items + ${SENDS_FIRST}::int >= ${MAX_ITEMS} then now() else ${SLIDING_DUE} end,
          settings = excluded.settings
    returning id, notification_id, channel_id, user_id, key, xmax = 0 is_new
  ), digest_ids as materialized (${asMap('opened', 'notification_id, channel_id, user_id, key', 'jsonb_build_array(id, is_new)')}
  ), fated as (
    select j.occurrence, j.organization, j.notification, j.channel, j.user_id, j.address_id, j.gate, null::timestamptz until,
           null::waits_for waits_for, null::bigint digest_id, null::bigint lot
    from ${table} j where j.gate is not null and ${ours}
    union all
    select j.occurrence, j.organization, j.notification, j.channel, j.user_id, j.address_id,
           case when j.above_organization or (j.above_rule and not j.is_gathered) then 'capped'::gate end,
           case when waits.digest_id is null then k.until end,
           case when waits.digest_id is not null then 'digest' when k.until is not null then k.waits_for end,
           waits.digest_id, case when waits.digest_id is not null then ${IN_DIGEST} end
    from placed j cross join digest_ids o
    cross join lateral (
      select case when j.is_gathered then o.map->concat_ws(' ', j.notification, j.channel, j.user_id, j.key) end digest
    ) open
    cross join lateral (
      select case when not ((open.digest->1)::bool and j.turn = 1 and (j.digest->>'first' = 'now') is true) then (open.digest->>0)::bigint end digest_id
    ) waits
    ${CLOCK_OF}
  )`;
