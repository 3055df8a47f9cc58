import { suppresses } from '../../platform/field/email.js';

/** `RecipientSettings` of an event `e`, its project `p` and its organization `g`, as a column. */
export const RECIPIENTS = `
         json_build_object(
           'category', (select json_build_object('id', k.id, 'slug', k.slug, 'name', k.name, 'default', k."default", 'channels', k.channels, 'digestAt', k.digest_at,
                                                  'frequencies', case when k.frequencies <> '{}' and exists (
                                                    select from preferences x where x.category_id = k.id and x.frequency is not null) then k.frequencies else '{}' end)
                        from categories k where k.id = e.category_id),
           'projectId', p.id, 'applicationId', e.application_id, 'hasMuted', exists (select from muted_threads x where x.application_id = e.application_id),
           'hasSuppressions', exists (select from suppressions x where x.organization_id = e.organization_id),
           'timeZone', g.time_zone, 'locale', g.locale, 'quietHours', g.quiet_hours, 'limit', g.message_limit,
           'hasOwnQuietHours', exists (select from users x where x.organization_id = e.organization_id and x.quiet_hours is not null)
         ) recipients`;

/**
 * Which of the stored choices of a user is asked first: everything over a channel type, if it is off; the event over the channel type; the
 * event; the category over the channel type; the category.
 */
const RANK = `case when x.event_id is not null then 1 when x.category_id is not null then 3 else 0 end + (x.channel_type = '')::int`;

/** SQL for the user whose choices count. */
interface UserSql {
  organization: string;
  user: string;
  addressKind: string;
  address: string;
}

/**
 * The stored choice `choice` and the suppression `suppressed` that decide for a user and a target `t`, which has the columns of `Choices`.
 * This is the only place where they are evaluated: when recipients are resolved, before each attempt, for explain and for simulate.
 */
export const choiceFrom = ({ organization, user, addressKind, address }: UserSql) => `
    left join lateral (
      select x.id, x.is_on from preferences x
      where t.category is not null and x.user_id = ${user} and x.channel_type in ('', t.channel_type)
        and case when x.event_id is not null then x.event_id = t.event
                 when x.category_id is not null then x.category_id = t.category else not x.is_on end
      order by ${RANK} limit 1
    ) choice on true
    left join lateral (
      select x.id from suppressions x
      where ${suppresses('x', { organization, project: 't.project', addressKind, address })} and (x.cause <> 'complaint' or not t.is_required)
      order by x.cause limit 1
    ) suppressed on true`;

/** The thread of a target `t` that a user has muted, as a row `x`. */
export const mutedBy = (user: string) => `
                  muted_threads x where x.user_id = ${user} and x.application_id = (t.thread->>'application')::int
                    and x.field = t.thread->>'field' and x.value = t.thread->>'value' and x.ends_at > now()`;

/** The gates of `choiceFrom` and of muted threads, as the last branches of a `case`. For a user `u`. A subquery: without a thread it is not run. */
export const CHOICE_GATES = `
                when suppressed.id is not null then 'suppressed'
                when t.category is not null and not coalesce(choice.is_on, t.default_on) then 'opted_out'
                when t.thread is not null and exists (select from ${mutedBy('u.id')}) then 'muted'`;

/** How messages to a user `u` of a target `t` are gathered: as the rule says, or as often as the user wants those of the category. */
export const DIGEST = `coalesce(t.digest, case when t.frequencies is not null then (
             select t.frequencies->x.frequency::text from preferences x
             where x.user_id = u.id and x.category_id = t.category and x.frequency is not null) end)`;

/** Columns for `clocks` and `UNTIL`: the time zone of a user `u`, the quiet hours that apply, and the send window, the expiry and the local time of a target `t`. */
export const CLOCK = `
           coalesce(u.time_zone, t.zone) zone, case when t.has_quiet then coalesce(u.quiet_hours, t.quiet) end quiet, t.send_window, t.expires_at, t.send_local, ${DIGEST} is not null gathers`;

/** The same columns for a room of a target `t`: its clock is that of the organization. */
export const CLOCK_OF_ROOM =
  't.zone, null::jsonb quiet, null::jsonb send_window, t.expires_at, t.send_local, false gathers';

/** Columns of a target `t` and a user `u` for a digest. */
export const GATHERING = `${DIGEST} digest, t.digest_key, t.rule_limit, t.limit_key, t.organization_limit`;

/** Over how long users with the same clock are spread: not all messages of a night may leave in one second. */
const SPREADS = `array['2 minutes', '30 seconds', '0']::interval[]`;

/** Users are spread over so many moments. Each moment runs the deliver job of a chunk once more. */
const MOMENTS = 16;

/** Whether a user with a clock `c` may be reached at a time. */
const isAllowed = (at: string) => `first_allowed(${at}, zone, coalesce(quiet, '[]'), send_window) = ${at}`;

/**
 * For each clock among the users of `table` whom no gate keeps back: when they may be reached (`free_at`), if not now, and over how long they are
 * then spread: twice as long must be left of the send window. Those who wait for a time on their clock get their message at that time, and are not spread.
 * `starts_at`: that time, or now. A message that a digest will gather waits for that time only; the digest waits for the rest. A thousand users with the same clock cost one calculation. `now`: SQL for the time.
 */
export const clocks = (table: string, now = 'now()') => `
    select c.*, starts_at, free_at,
           case when free_at = starts_at then interval '0'
                else (select max(long) from unnest(${SPREADS}) long where ${isAllowed('(free_at + 2 * long)')}) end spread,
           (case when free_at = starts_at then 'send_at'
                 when in_ranges(starts_at at time zone known_zone(zone), quiet) then 'quiet' else 'window' end)::waits_for waits_for
    from (select distinct zone, quiet, send_window, send_local, gathers from ${table}
          where gate is null and (quiet is not null or send_window is not null or send_local is not null)) c,
         lateral (select greatest(${now}, local_instant(send_local, zone)) starts_at) s,
         lateral (select case when gathers and starts_at > ${now} then starts_at
                              else first_allowed(starts_at, zone, coalesce(quiet, '[]'), send_window) end free_at) f
    where free_at > ${now}`;

/** Joins a user `j` to the clock that makes the user wait, if one does. */
export const CLOCK_OF = `
    left join clocks k on k.zone = j.zone and k.quiet is not distinct from j.quiet and k.send_window is not distinct from j.send_window
      and k.send_local is not distinct from j.send_local and k.gathers = j.gathers`;

/**
 * When a message to a user `j` with a clock `k` is sent. All messages to one user have the same moment, so they keep their order. One that expires
 * before the last moment does not wait for its own.
 */
export const UNTIL = `k.free_at + case when j.expires_at <= k.free_at + k.spread + interval '1 minute' then interval '0'
                                       else k.spread * (hashint4(j.user_id) & ${MOMENTS - 1}) / ${MOMENTS} end`;

/** Whether a message to a user `j`, which is due, may still be sent in a minute. */
export const MAY_WAIT_A_MINUTE = `coalesce(j.expires_at > now() + interval '1 minute', true)
             and first_allowed(now() + interval '1 minute', j.zone, coalesce(j.quiet, '[]'), j.send_window) = now() + interval '1 minute'`;
