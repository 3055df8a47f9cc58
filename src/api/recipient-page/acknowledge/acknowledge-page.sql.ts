/**
 * The message of a delivery to a user that may be acknowledged, and who has done so: the user, else the first one who counts. With `by: each` nobody else
 * counts, and nobody whose acknowledgement has lapsed.
 * $1: delivery, $2: organization.
 */
export const FIND_ASKED = `
  select d.user_id "userId", o.id occurrence, o.created_at "createdAt", o.canceled_at is not null "isCanceled",
         (o.options->>'expires_at')::timestamptz "expiresAt", o.context, v.rule, m.subject,
         (select json_build_object('email', u.email, 'firstName', u.first_name, 'lastName', u.last_name, 'isOwn', a.user_id = d.user_id,
                                   'at', a.at, 'note', a.note)
          from acknowledgements a join users u on u.id = a.user_id
          where a.occurrence_id = o.id and (a.user_id = d.user_id or v.rule->'acknowledge'->>'by' is distinct from 'each')
            and (a.at + (v.rule->'acknowledge'->>'for')::interval > now()) is not false
          order by a.user_id <> d.user_id, a.id limit 1) "acknowledgedBy"
  from deliveries d
  join occurrences o on o.id = d.occurrence_id
  join rulesets s on s.id = o.ruleset_id
  join rule_versions v on v.id = any(s.versions) and (v.rule->>'id')::int = d.notification_id
  left join messages m on m.delivery_id = d.id
  where d.id = $1::bigint and d.organization_id = $2 and d.user_id <> 0`;
