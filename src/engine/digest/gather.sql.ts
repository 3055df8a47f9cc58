import { CHOICE_COLUMNS } from '../../rules/ruleset/choices.js';
import type { Variant } from '../../rules/ruleset/choices.js';
import { CLOCK_OF, GATHERING, UNTIL, clocks } from '../../rules/ruleset/choices.sql.js';
import { digestDue } from '../../rules/ruleset/digest-time.sql.js';

/** The lot of deliveries that wait in a digest: no deliver job has it, so only the digest sends them. */
export const IN_DIGEST = 0;

/**
 * The rows of a table expression as one JSON object. PostgreSQL takes our table expressions for one row long, and would join two of them by
 * comparing each row with each: for 1,000 users a look-up in an object takes 3 ms, such a join 200.
 */
const asMap = (table: string, key: string, value: string) =>
  `select coalesce(jsonb_object_agg(concat_ws(' ', ${key}), ${value}), '{}') map from ${table}`;

/** When a digest is closed that is opened now. */
export const DUE = digestDue('now()');

/** Of a limit without a digest: what is above it is sent together. */
export const DEFAULT_MAX_ITEMS = 1000;
const MAX_ITEMS = `coalesce((excluded.settings->'digest'->>'max_items')::int, ${DEFAULT_MAX_ITEMS})`;
const WINDOW = `(excluded.settings->'digest'->>'window')::float8 * interval '1 second'`;

/** Each item starts the window of a sliding digest anew, up to four times its length. */
const SLIDING_DUE = `case when (excluded.settings->'digest'->>'sliding')::bool then least(now() + ${WINDOW}, digests.opened_at + 4 * ${WINDOW})
                      else digests.due_at end`;

/** The digest of a category spans notifications: it has the number 0 in their place. */
const digestNotification = (row: string) =>
  `case when (${row}.digest ? 'category') is true then 0 else ${row}.notification end`;
const digestKey = (row: string) => `coalesce(${row}.digest->>'category', ${row}.key)`;

/** What the digest keeps for the time when it is closed. The limit of one notification does not count for a category. */
const SETTINGS = `jsonb_build_object('digest', digest, 'rule_limit', case when (digest ? 'category') is not true then rule_limit end, 'limit_key', limit_key, 'organization_limit', organization_limit, 'zone', zone)`;

/** How the items of a table of messages are added to their digests. */
interface ItemsSql {
  /** Has the columns of `GATHERING`, `key`, `zone` and `n`, the order of the messages. */
  table: string;
  /** When a digest is sent that is opened now. */
  due: string;
  /** Whether a new digest sends its first message at once, if its rule says so. */
  sendsFirst: boolean;
}

/** Adds messages to their digests, and opens those that are not open. A digest is locked until the commit, so nobody closes it meanwhile. */
export function addToDigests({ table, due, sendsFirst }: ItemsSql): string {
  const isFirst = sendsFirst ? `(min(digest->>'first') is not distinct from 'now')::int` : '0';
  // An item that `isFirst` left out is one after all: the digest was open.
  const added = `digests.items + excluded.items + ${sendsFirst ? `((excluded.settings->'digest'->>'first' = 'now') is true)::int` : '0'}`;
  return `
    insert into digests (organization_id, notification_id, channel_id, user_id, key, due_at, items, settings)
    select p.organization, ${digestNotification('p')} notification, p.channel, p.user_id, ${digestKey('p')} key,
           case when count(*) >= coalesce((min(digest->>'max_items'))::int, ${DEFAULT_MAX_ITEMS}) then now() else min(${due}) end,
           count(*) - ${isFirst}, (array_agg(${SETTINGS} order by n desc))[1]
    from ${table} p group by 1, 2, 3, 4, 5 order by 2, 3, 4, 5
    on conflict (notification_id, channel_id, user_id, key) do update
      set items = ${added},
          due_at = case when ${added} >= ${MAX_ITEMS} then now() else ${SLIDING_DUE} end,
          settings = excluded.settings
    returning id, notification_id, channel_id, user_id, key, xmax = 0 is_new`;
}

/** Users who were judged, with their target. */
interface JudgedSql {
  /** Has the columns of `CLOCK`, and those of `GATHERING` if messages are gathered. */
  table: string;
  /** A condition on a row `j`. */
  ours: string;
}

/** The columns of a delivery that `fated` adds. */
export const FATE_COLUMNS = 'next_attempt_at, waits_until, waits_for, digest_id, lot, pending_since';
/** The time for attempts begins when the wait ends. */
export const FATE = 'until, free_at, waits_for, digest_id, lot, coalesce(free_at, now())';

/** The table expression `fated`: users who were judged, and what becomes of the message to each. */
export const fates = (judged: JudgedSql, { gather }: Pick<Variant, 'gather'>) => `
  clocks as materialized (${clocks(judged.table)}), ${gather ? gathered(judged) : `fated as (${waiting(judged)})`}`;

const MESSAGE_COLUMNS = 'j.occurrence, j.organization, j.notification, j.channel, j.user_id, j.address_id, j.gate';

/** A message to a user `j` waits for a time on the clock of the user. It is gathered when that time has come. */
const IS_EARLY = '(k.starts_at > now()) is true';

/** Some messages wait for the clock of their user. */
const waiting = ({ table, ours }: JudgedSql) => `
    select ${MESSAGE_COLUMNS}, ${UNTIL} until, k.free_at, k.waits_for, null::bigint digest_id, null::bigint lot
    from ${table} j ${CLOCK_OF} and j.gate is null
    where ${ours}`;

/** Some messages are gathered into digests. */
const gathered = ({ table, ours }: JudgedSql) => `placed as materialized (
    select a.*, row_number() over (partition by notification, channel, user_id, key order by n) turn
    from (select row_number() over () n, j.*, j.digest_key key from ${table} j ${CLOCK_OF} where j.gate is null and j.digest is not null and not ${IS_EARLY} and ${ours}) a
  ), opened as (${addToDigests({ table: 'placed', due: DUE, sendsFirst: true })}
  ), digest_ids as materialized (${asMap('opened', 'notification_id, channel_id, user_id, key', 'jsonb_build_array(id, is_new)')}
  ), fated as (
    ${waiting({ table, ours: `(j.gate is not null or j.digest is null or ${IS_EARLY}) and ${ours}` })}
    union all
    select ${MESSAGE_COLUMNS},
           case when waits.digest_id is null then ${UNTIL} end, case when waits.digest_id is null then k.free_at end,
           case when waits.digest_id is not null then 'digest' else k.waits_for end,
           waits.digest_id, case when waits.digest_id is not null then ${IN_DIGEST} end
    from placed j cross join digest_ids o
    cross join lateral (select o.map->concat_ws(' ', ${digestNotification('j')}, j.channel, j.user_id, ${digestKey('j')}) digest) open
    cross join lateral (
      select case when not ((open.digest->1)::bool and j.turn = 1 and (j.digest->>'first' = 'now') is true) then (open.digest->>0)::bigint end digest_id
    ) waits
    ${CLOCK_OF}
  )`;

/**
 * Gathers the messages of a chunk whose time on the clock of their user has come. `due`: a condition on a delivery `d`. $8: `Choices`. A first
 * message that is sent at once waits no more: after a crash it is still the first.
 */
export const gatherDue = (due: string) => `
  with waited as materialized (
    select d.id, d.organization_id organization, d.notification_id notification, d.channel_id channel, d.user_id,
           t.digest_key key, ${GATHERING}, z.zone
    from deliveries d
    cross join jsonb_to_record($8::jsonb) t(${CHOICE_COLUMNS})
    join users u on u.id = d.user_id
    cross join lateral (select coalesce(u.time_zone, t.zone) zone) z
    where ${due} and d.attempts = 0 and d.waits_for = 'send_at' and local_instant(t.send_local, z.zone) <= now()
  ), placed as materialized (
    select row_number() over (order by id) n, * from waited where digest is not null
  ), opened as (${addToDigests({ table: 'placed', due: DUE, sendsFirst: true })}
  ), written as (
    update deliveries d
    set digest_id = case when is_first then null else o.id end, waits_for = case when not is_first then 'digest'::waits_for end,
        waits_until = null, next_attempt_at = null, lot = case when is_first then d.lot else ${IN_DIGEST} end
    from placed p
    join opened o on (o.notification_id, o.channel_id, o.user_id, o.key) = (${digestNotification('p')}, p.channel, p.user_id, ${digestKey('p')})
    cross join lateral (select o.is_new and (p.digest->>'first' = 'now') is true is_first) f
    where d.id = p.id and d.status = 'pending'
  )
  select now()::text "gatheredAt"`;
