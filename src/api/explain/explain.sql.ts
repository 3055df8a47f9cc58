import { CHOICE_COLUMNS } from '../../rules/ruleset/choices.js';
import { RECIPIENTS } from '../../rules/ruleset/choices.sql.js';
import {
  FOUND_CHOICE,
  FOUND_DEFAULT,
  FOUND_SUPPRESSION,
  foundFrom,
  foundMuted,
} from '../../rules/ruleset/evidence.sql.js';
import { FIRST_ADDRESS, judgedUsers } from '../../rules/ruleset/users.sql.js';
import type { UserQueryText } from '../../rules/ruleset/users.sql.js';
import { ROOM } from '../../rules/ruleset/rule.js';
import { CHANNELS_OF_RULES, rulesetOf } from '../../rules/ruleset/rule.sql.js';
import { OFF_ABOVE } from '../../rules/ruleset/switch.sql.js';

/** $1: organization, $2: occurrence. */
export const LOAD_FACTS = `
  select o.id, o.organization_id "organizationId", o.event_id "eventId", o.status, o.context, o.options, o.decisions, o.problem,
         o.expanded_at "expandedAt", o.canceled_at "canceledAt", coalesce(r.rules, '[]') rules, ${CHANNELS_OF_RULES} channels,
         ${OFF_ABOVE} off, e.max_recipients "maxRecipients", o.open_steps "openSteps", ${RECIPIENTS},
         (select json_build_object('cron', x.cron, 'time_zone', x.time_zone,
                                  'slot', to_char(x.slot at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          from schedule_runs x where x.event_id = o.event_id and x.occurrence_id = o.id) schedule
  from occurrences o
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = o.organization_id
  left join ${rulesetOf('o.ruleset_id')}
  where o.organization_id = $1 and o.id = $2`;

/** $1: organization, $2: the e-mail in lower case. */
export const FIND_USER = `
  select id, email, first_name "firstName", last_name "lastName", time_zone "timeZone", created_at "createdAt"
  from users where organization_id = $1 and email_key = $2`;

/**
 * The deliveries of one user, and the posts to rooms, two index look-ups for each rule and channel: the index of an occurrence's
 * deliveries starts with these, and a fallback may use any channel of the organization. $1: organization, $2: occurrence, $3: user,
 * $4: rules, $5: channels of the rules, which may have been deleted.
 */
export const LOAD_DELIVERIES = `
  select d.id, d.notification_id notification, d.channel_id channel, c.slug, c.type, c.enabled, c.config, d.user_id = ${ROOM} "isRoom", d.status, d.gate, d.evidence,
         r.enabled "notificationEnabled",
         d.attempts, d.address_id "addressId", d.next_attempt_at "nextAttemptAt", d.reason, d.fallback_of "fallbackOf", d.repetition,
         (select m.language from messages m where m.delivery_id = d.id) language,
         d.pending_since since, (select json_build_object('at', i.created_at, 'seenAt', i.seen_at, 'readAt', i.read_at) from inbox_messages i where i.delivery_id = d.id) inbox,
         d.report, x.at "reportAt", x.detail "reportDetail",
         d.devices, t.number attempt, t.at "attemptAt", t.answer, s.failing_since "failingSince", s.probe_at "probeAt",
         d.waits_for "waitsFor", d.waits_until "waitsUntil", g.due_at "digestDueAt", g.items "digestItems", g.settings->'digest'->>'frequency' "digestFrequency",
         (select json_build_object('id', k.id::text, 'occurrence', k.occurrence_id, 'items', (o.digest->>'count')::int)
          from deliveries k join occurrences o on o.id = k.occurrence_id where k.id = d.carried_by) carrier
  from unnest($4::int[]) n(id)
  cross join (select id from channels where organization_id = $1 union select unnest($5::int[])) k
  join deliveries d on d.occurrence_id = $2 and d.notification_id = n.id and d.channel_id = k.id and d.user_id in ($3::int, ${ROOM})
  left join channels c on c.id = d.channel_id and c.organization_id = $1
  left join notifications r on r.id = d.notification_id and r.organization_id = $1
  left join channel_states s on s.channel_id = c.id
  left join digests g on g.id = d.digest_id
  left join lateral (
    select number, at, answer from attempts where delivery_id = d.id order by number desc limit 1
  ) t on true
  left join lateral (
    select at, detail from delivery_reports where delivery_id = d.id and state = d.report order by at desc limit 1
  ) x on true
  where d.organization_id = $1
  order by d.id`;

/** The first and the last acknowledgement of an occurrence, and the user's own. $1: occurrence, $2: user. */
export const LOAD_ACKNOWLEDGEMENTS = `
  select u.email "user", a.at, a.way, a.user_id = $2 "isOwn"
  from acknowledgements a join users u on u.id = a.user_id
  where a.id in (select id from acknowledgements where occurrence_id = $1 and user_id = $2
                 union all (select id from acknowledgements where occurrence_id = $1 order by id limit 1)
                 union all (select id from acknowledgements where occurrence_id = $1 order by at desc, id desc limit 1))
  order by a.id`;

/**
 * What a user has chosen about a message, and whether the address may be used. $1: organization, $2: user, $3: kind of address,
 * $4: `Choices`.
 */
export const LOAD_CHOICE = `
  select ${FOUND_CHOICE} choice, ${FOUND_DEFAULT} "default", ${FOUND_SUPPRESSION} suppression, ${foundMuted('$2')} muted
  from jsonb_to_record($4::jsonb) t(${CHOICE_COLUMNS})
  left join lateral (
    select value from addresses where organization_id = $1 and user_id = $2 and name = $3::text order by ${FIRST_ADDRESS} limit 1
  ) a on true
  ${foundFrom({ organization: '$1', user: '$2', addressKind: '$3', address: 'a.value' })}`;

/** $1: organization, $2: lists, $3: user. */
export const LOAD_LISTS = `
  select l.id, l.name,
         coalesce(jsonb_agg(jsonb_build_object('active', m.active, 'channel', c.slug)) filter (where m.id is not null), '[]') memberships
  from distribution_lists l
  left join members m on m.list_id = l.id and m.user_id = $3
  left join channels c on c.id = m.channel_id
  where l.organization_id = $1 and l.id = any($2)
  group by l.id order by l.name`;

/** The gates of the users of one rule and channel now. For `userQuery`. */
export const judgeNow: UserQueryText = (audience, variant) =>
  `with ${judgedUsers(audience, variant)} select gate from judged`;

/** $1: organization, $2: occurrence. */
export const COUNT_DELIVERIES = `
  select status, gate, count(*)::int deliveries from deliveries
  where occurrence_id = $2 and organization_id = $1
  group by status, gate`;
