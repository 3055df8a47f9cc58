import { CHOICE_COLUMNS } from './choices.js';
import { CLOCK, DIGEST } from './choices.sql.js';

/** When a digest that is opened at a time is closed, by the columns `digest` and `zone`: after its window, or at its time of the day. */
export const digestDue = (opened: string) => `
                case when digest ? 'window' then ${opened} + (digest->>'window')::float8 * interval '1 second'
                else first_allowed(${opened}, zone, '[]', digest->'schedule' || jsonb_build_object(
                  'from', digest->'schedule'->>'at', 'to', to_char((digest->'schedule'->>'at')::time + interval '1 minute', 'HH24:MI'))) end`;

/** The user `u` with an id, and a target `t` with the columns of `Choices`. Both are SQL. */
const clockOf = (user: string, choices: string) =>
  `(select u.id user_id, ${CLOCK}, ${DIGEST} digest, t.digest_key from users u cross join jsonb_to_record(${choices}) t(${CHOICE_COLUMNS}) where u.id = ${user}) c`;

/** Columns: when a digest is sent that is closed at a time, by the user's clock, and what it waits for after that. */
const sentAfter = (closed: string) => `
         first_allowed(${closed}, zone, coalesce(quiet, '[]'), send_window) "sentAt", zone,
         case when first_allowed(${closed}, zone, coalesce(quiet, '[]'), send_window) > ${closed}
              then case when in_ranges(${closed} at time zone known_zone(zone), coalesce(quiet, '[]')) then 'quiet' else 'window' end end "waitsFor"`;

/** When an open digest is sent. $1: user, $2: `Choices`, $3: when it is closed. */
export const DIGEST_TIME = `
  select s.*, to_char(s."sentAt" at time zone s.zone, 'YYYY-MM-DD HH24:MI') "sentLocal"
  from (select ${sentAfter('greatest($3::timestamptz, now())')} from ${clockOf('$1', '$2::jsonb')}) s`;

const WINDOW = `(digest->>'window')::float8 * interval '1 second'`;

/**
 * For each user whose message joins a digest: when that is sent, whether it is open already, and how often the user gets one of the category. $1: users, $2: `Choices`, $3: the
 * time of the message, $4: notification, $5: channel.
 */
export const DIGEST_TIMES = `
  select user_id "userId", "isOpen", "sentAt", digest->>'frequency' frequency, digest->>'first' = 'wait' "waits"
  from (
    select c.*, g.id is not null "isOpen",
           case when g.items + 1 >= (digest->>'max_items')::int then at
                when (digest->>'sliding')::bool and g.id is not null then least(at + ${WINDOW}, g.opened_at + 4 * ${WINDOW})
                else coalesce(g.due_at, ${digestDue('at')}) end closed_at
    from unnest($1::int[]) p(id)
    cross join lateral ${clockOf('p.id', '$2::jsonb')}
    cross join lateral (select greatest($3::timestamptz, local_instant(c.send_local, c.zone)) at) time
    left join digests g on g.notification_id = case when (c.digest ? 'category') is true then 0 else $4 end and g.channel_id = $5 and g.user_id = c.user_id and g.key = coalesce(c.digest->>'category', c.digest_key) and g.due_at > at
  ) c, lateral (select ${sentAfter('closed_at')}) sent
  where digest is not null`;
