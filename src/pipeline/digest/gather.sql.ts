import type { Variant } from '../../ruleset/choices.js';
import { CLOCK_OF, clocks } from '../../ruleset/choices.sql.js';

/** The lot of deliveries that wait in a digest: no deliver job has it, so only the digest sends them. */
export const IN_DIGEST = 0;

const PERIOD_OF_RULE = `period_start(now(), rule_limit->>'per', zone)`;
const PERIOD_OF_ORGANIZATION = `period_start(now(), organization_limit->>'per', zone)`;

/** Counts messages and returns the new counts. The row of a person and a period is locked until the commit, so no two count the same. */
const count = (columns: string, from: string) => `
    insert into message_counts (organization_id, notification_id, channel_id, user_id, key, since, messages)
    select ${columns}, count(*) ${from} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, notification_id, channel_id, user_id, key, since) do update
      set messages = message_counts.messages + excluded.messages
    returning notification_id, channel_id, user_id, key, messages`;

/** Whether a message is above a limit: those of this statement have the last numbers of the new count. */
const isAbove = (limit: string, counted: string, same: string) => `
           ${counted}.messages - count(*) over (partition by ${same}) + row_number() over (partition by ${same} order by a.n) > (${limit}->>'count')::int`;

const SAME_RULE = 'a.notification, a.channel, a.user_id, a.limit_key';

/** When a digest is sent that is opened now: after its window, at its time of the day, or at the end of the period of the limit. */
const DUE = `case when digest ? 'window' then now() + (digest->>'window')::float8 * interval '1 second'
                when digest ? 'schedule' then first_allowed(now(), zone, '[]', digest->'schedule' || jsonb_build_object(
                  'from', digest->'schedule'->>'at', 'to', to_char((digest->'schedule'->>'at')::time + interval '1 minute', 'HH24:MI')))
                else ${PERIOD_OF_RULE} + concat('1 ', rule_limit->>'per')::interval end`;

/** Of a limit without a digest: what is above it is sent together. */
export const DEFAULT_MAX_ITEMS = 1000;
const MAX_ITEMS = `coalesce((excluded.settings->'digest'->>'max_items')::int, ${DEFAULT_MAX_ITEMS})`;
const SENDS_FIRST = `((excluded.settings->'digest'->>'first' = 'now') is true)`;
const WINDOW = `(excluded.settings->'digest'->>'window')::float8 * interval '1 second'`;

/** Each item starts the window of a sliding digest anew, up to four times its length. */
const SLIDING_DUE = `case when (excluded.settings->'digest'->>'sliding')::bool then least(now() + ${WINDOW}, digests.opened_at + 4 * ${WINDOW})
                      else digests.due_at end`;

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
const gathered = ({ table, ours }: JudgedSql) => `asked as materialized (
    select row_number() over () n, j.* from ${table} j where j.gate is null and ${ours}
  ), counts_of_rule as (${count(
    `organization, notification, channel, user_id, limit_key, ${PERIOD_OF_RULE}`,
    'from asked where rule_limit is not null and digest is null',
  )}
  ), within_rule as materialized (
    select a.*, a.rule_limit is not null and a.digest is null and ${isAbove('a.rule_limit', 'c', SAME_RULE)} above_rule
    from asked a
    left join counts_of_rule c on c.notification_id = a.notification and c.channel_id = a.channel and c.user_id = a.user_id
      and c.key = a.limit_key and a.rule_limit is not null and a.digest is null
  ), counts_of_organization as (${count(
    `organization, 0, 0, user_id, '', ${PERIOD_OF_ORGANIZATION}`,
    'from within_rule where organization_limit is not null and digest is null and not above_rule',
  )}
  ), limited as materialized (
    select a.*, a.organization_limit is not null and a.digest is null and not a.above_rule
                and ${isAbove('a.organization_limit', 'c', 'a.user_id, a.organization_limit, a.digest is null and not a.above_rule')} above_organization
    from within_rule a
    left join counts_of_organization c on c.user_id = a.user_id and a.organization_limit is not null and a.digest is null and not a.above_rule
  ), gathered as materialized (
    select n, organization, notification, channel, user_id, case when digest is null then limit_key else digest_key end key, ${DUE} due,
           jsonb_build_object('digest', digest, 'rule_limit', rule_limit, 'limit_key', limit_key, 'organization_limit', organization_limit, 'zone', zone) settings,
           row_number() over (partition by notification, channel, user_id, case when digest is null then limit_key else digest_key end order by n) place
    from limited where digest is not null or (above_rule and rule_limit->>'then' = 'digest')
  ), opened as (
    insert into digests (organization_id, notification_id, channel_id, user_id, key, due_at, items, settings)
    select organization, notification, channel, user_id, key,
           case when count(*) >= coalesce((min(settings->'digest'->>'max_items'))::int, ${DEFAULT_MAX_ITEMS}) then now() else min(due) end,
           count(*) - (min(settings->'digest'->>'first') is not distinct from 'now')::int, (array_agg(settings order by n desc))[1]
    from gathered group by organization, notification, channel, user_id, key order by notification, channel, user_id, key
    on conflict (notification_id, channel_id, user_id, key) do update
      set items = digests.items + excluded.items + ${SENDS_FIRST}::int,
          due_at = case when digests.items + excluded.items + ${SENDS_FIRST}::int >= ${MAX_ITEMS} then now() else ${SLIDING_DUE} end,
          settings = excluded.settings
    returning id, notification_id, channel_id, user_id, key, xmax = 0 is_new
  ), fated as (
    select j.occurrence, j.organization, j.notification, j.channel, j.user_id, j.address_id, j.gate, null::timestamptz until,
           null::waits_for waits_for, null::bigint digest_id, null::bigint lot
    from ${table} j where j.gate is not null and ${ours}
    union all
    select j.occurrence, j.organization, j.notification, j.channel, j.user_id, j.address_id,
           case when j.above_organization or (j.above_rule and g.n is null) then 'capped'::gate end,
           case when waits.digest_id is null then k.until end,
           case when waits.digest_id is not null then 'digest' when k.until is not null then k.waits_for end,
           waits.digest_id, case when waits.digest_id is not null then ${IN_DIGEST} end
    from limited j
    left join gathered g using (n)
    left join opened o on o.notification_id = j.notification and o.channel_id = j.channel and o.user_id = j.user_id and o.key = g.key
    cross join lateral (
      select case when not (o.is_new and g.place = 1 and (j.digest->>'first' = 'now') is true) then o.id end digest_id
    ) waits
    ${CLOCK_OF}
  )`;
