import { Notice } from '../../../platform/database/notice.js';

/** The most acknowledgements that an occurrence shows. */
const MAX_SHOWN = 20;

/** Whether an acknowledgement `a` has lapsed for a notification of its occurrence: then the user may acknowledge it again. */
const LAPSED = `exists (
        select from occurrences o
        cross join lateral (select versions from rulesets where id = o.ruleset_id) s
        join rule_versions v on v.id = any(s.versions)
        where o.id = a.occurrence_id and v.rule->'acknowledge' ? 'for'
          and a.at + (v.rule->'acknowledge'->>'for')::interval < now())`;

/**
 * Stores that a user acknowledged an occurrence, and returns it. The first of a user stays, until it has lapsed for a notification. The locks keep both from being deleted meanwhile.
 * The step is that of the answered delivery, or of the delivery whose place it took.
 * $1: occurrence, $2: organization, $3: key of the user's e-mail, $4: way, $5: note, $6: the delivery whose message is answered, or null.
 */
export const ACKNOWLEDGE = `
  with recursive up as (
    select 1 place, d.notification_id, d.channel_id, d.fallback_of from deliveries d where d.id = $6::bigint and d.occurrence_id = $1::uuid
    union all
    select up.place + 1, d.notification_id, d.channel_id, d.fallback_of from up join deliveries d on d.id = up.fallback_of
  ), answered as (
    select step.number::smallint from up
    join rulesets r on r.id = (select ruleset_id from occurrences where id = $1)
    join rule_versions v on v.id = any(r.versions) and (v.rule->>'id')::int = up.notification_id
    cross join lateral jsonb_array_elements(v.rule->'steps') with ordinality step(value, number)
    where step.value->'channels' @> to_jsonb(up.channel_id) order by up.place limit 1
  ), subject as materialized (
    select id from occurrences where id = $1 and organization_id = $2::int for key share
  ), author as materialized (
    select id, email from users where organization_id = $2 and email_key = $3 for key share
  ), made as (
    insert into acknowledgements as a (organization_id, occurrence_id, user_id, way, note, step)
    select $2, s.id, u.id, $4, $5, (select number from answered) from subject s cross join author u
    on conflict (occurrence_id, user_id) do update
      set (at, way, note, step) = (
        select case when lapsed then excluded.at else a.at end, case when lapsed then excluded.way else a.way end,
               case when lapsed then excluded.note else a.note end, case when lapsed then excluded.step else a.step end
        from (select ${LAPSED} lapsed) l)
    returning at, way, note, step, xmax = 0 or at = now()::timestamptz(3) "isNew"
  )
  select (select id from subject) occurrence, (select email from author) "user", made.*
  from (values (1)) one left join made on true`;

/** SQL for the first acknowledgements of an occurrence as JSON. */
export const acknowledgementsOf = (occurrence: string) => `
  (select coalesce(json_agg(json_build_object('user', u.email, 'at', a.at, 'way', a.way, 'step', a.step, 'note', a.note) order by a.id), '[]')
   from (select * from acknowledgements where occurrence_id = ${occurrence} order by id limit ${MAX_SHOWN}) a join users u on u.id = a.user_id)`;

/** An inbox shows to so many users that somebody has acknowledged: those with the first messages of the occurrence. */
const MAX_MESSAGES = 1000;
const MAX_USERS = 200;

/** Tells the streams of the users whose inboxes show it. $1: occurrence. */
export const NOTIFY_OF_ACKNOWLEDGEMENT = `
  select pg_notify('${Notice.Inbox}', json_agg(json_build_array(organization_id, user_id, 0))::text) from (
    select distinct m.organization_id, m.user_id from (
      select id from deliveries where occurrence_id = $1::uuid limit ${MAX_MESSAGES}) d
    join inbox_messages m on m.delivery_id = d.id limit ${MAX_USERS}) told
  having count(*) > 0`;
