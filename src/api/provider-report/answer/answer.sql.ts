/** Bounds the look-ups of an answer: notifications that ask to be acknowledged, and the newest occurrences of the event of each. */
const MAX_NOTIFICATIONS = 200;
const MAX_OCCURRENCES = 50;
/** Users with one number. */
const MAX_USERS = 20;
const MAX_FOUND = 20;

/**
 * The newest messages that were sent to a number over a channel, and that ask for an acknowledgement and have none that counts. The context only
 * if it has a thread. $1: organization, $2: channel, $3: number.
 */
export const FIND_ANSWERED = `
  with owner as materialized (
    select user_id from addresses where organization_id = $1::int and lower(value) = lower($3::text) and name = 'phone' limit ${MAX_USERS}
  ), asking as materialized (
    select id, event_id from notifications
    where organization_id = $1 and steps @> '[{"unless":"acknowledged"}]' order by id limit ${MAX_NOTIFICATIONS}
  )
  select d.id::text delivery, o.id occurrence, u.email, v.rule, case when v.rule ? 'thread' then o.context end context
  from asking n
  cross join lateral (select * from occurrences where event_id = n.event_id order by id desc limit ${MAX_OCCURRENCES}) o
  cross join owner
  join deliveries d on d.occurrence_id = o.id and d.notification_id = n.id and d.channel_id = $2::int and d.user_id = owner.user_id and d.status = 'sent'
  join users u on u.id = d.user_id
  join rulesets s on s.id = o.ruleset_id
  join rule_versions v on v.id = any(s.versions) and (v.rule->>'id')::int = n.id
  where o.organization_id = $1 and o.status = 'expanded' and coalesce((o.options->>'expires_at')::timestamptz > now(), true)
    and v.rule->'steps' @> '[{"unless":"acknowledged"}]'
    and not exists (
      select from acknowledgements a
      where a.occurrence_id = o.id and (a.user_id = d.user_id or v.rule->'acknowledge'->>'by' is distinct from 'each')
        and (a.at + (v.rule->'acknowledge'->>'for')::interval > now()) is not false)
  order by o.id desc, d.id desc limit ${MAX_FOUND}`;
