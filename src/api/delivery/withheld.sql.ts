/**
 * The newest occurrences of which a rule applied to nobody: its condition was false, or it was switched off. There is no index of them: the
 * search looks through 2,000 of the newest, or 5 of each event. `end`: all that are newer have been looked at; null: all. $1: organization,
 * $2 and $3: project and application of the key, or null, $4: only those with a lower id, or null, $5: how many.
 */
export const FIND_WITHHELD = `
  with own as materialized (
    select e.id from projects p join applications a on a.project_id = p.id join events e on e.application_id = a.id
    where p.organization_id = $1 and ($2::int is null or p.id = $2) and ($3::int is null or a.id = $3)
  ), each as materialized (
    select greatest(2000 / greatest(count(*), 1), 5) most from own
  ), seen as materialized (
    select o.id, o.number, o.passes from own cross join lateral (
      select id, row_number() over (order by id desc) number, decisions @? '$[*] ? (@.verdict == "filtered" || @.verdict == "disabled")' passes
      from occurrences where event_id = own.id and ($4::uuid is null or id < $4)
      order by id desc limit (select most from each)) o
  ), ends as (
    select (select seen.id from seen, each where seen.number = each.most order by seen.id desc limit 1) id
  )
  select (select id from ends) "end", array(
    select seen.id from seen where passes and seen.id >= coalesce((select id from ends), '00000000-0000-0000-0000-000000000000')
    order by seen.id desc limit $5) ids`;

/**
 * These rules of some occurrences, as they were, and whether the user is on a list of each. A trigger that was limited to other users is left
 * out. $1: occurrences, $2: user.
 */
export const LOAD_WITHHELD = `
  select o.id, o.created_at "createdAt", o.context, o.options - 'limit_to' options, o.decisions, p.slug project, a.slug application, e.slug event,
    coalesce((
      select jsonb_agg(jsonb_build_object('rule', v.rule - 'templates', 'isMember', exists (
        select from members m where m.user_id = u.id
          and m.list_id in (select listed.id::int from jsonb_array_elements_text(v.rule->'lists') listed(id)))))
      from rulesets s cross join unnest(s.versions) version(id) join rule_versions v on v.id = version.id
      where s.id = o.ruleset_id and exists (
        select from jsonb_array_elements(o.decisions) d
        where d->'notification' = v.rule->'id' and d->>'verdict' in ('filtered', 'disabled'))), '[]') rules
  from unnest($1::uuid[]) found(id) join occurrences o on o.id = found.id
  join events e on e.id = o.event_id join applications a on a.id = e.application_id join projects p on p.id = a.project_id
  join users u on u.id = $2 and u.organization_id = o.organization_id
  where o.options->'limit_to' is null
    or exists (select from jsonb_array_elements_text(o.options->'limit_to') limited(username) where lower(limited.username) = u.email_key)
  order by o.id desc`;

/** $1: user. */
export const NAME_OF_USER = `select email, first_name "firstName", last_name "lastName" from users where id = $1`;
