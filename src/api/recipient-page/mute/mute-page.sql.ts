/**
 * What a message to a user is about. A notification keeps the thread that it had at the trigger. $1: delivery, $2: organization.
 */
export const FIND_MUTABLE = `
  select d.user_id "userId", e.application_id application, v.rule->>'thread' field, o.context, coalesce(k."default" <> 'required', false) "isOpen"
  from deliveries d
  join occurrences o on o.id = d.occurrence_id
  join events e on e.id = o.event_id
  left join categories k on k.id = e.category_id
  join rulesets s on s.id = o.ruleset_id
  join rule_versions v on v.id = any(s.versions) and (v.rule->>'id')::int = d.notification_id
  where d.id = $1::bigint and d.organization_id = $2 and d.user_id <> 0`;

/** $1: user, $2: application, $3: field, $4: value. */
export const MUTED_UNTIL = `
  select ends_at "endsAt" from muted_threads
  where user_id = $1 and application_id = $2 and field = $3 and value = $4 and ends_at > now()`;
