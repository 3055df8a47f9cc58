/** The most acknowledgements that an occurrence shows. */
const MAX_SHOWN = 20;

/**
 * Stores that a user acknowledged an occurrence, and returns it. The first of a user stays. The locks keep both from being deleted meanwhile.
 * $1: occurrence, $2: organization, $3: key of the user's e-mail, $4: way, $5: note, $6: step.
 */
export const ACKNOWLEDGE = `
  with subject as materialized (
    select id from occurrences where id = $1::uuid and organization_id = $2::int for key share
  ), author as materialized (
    select id, email from users where organization_id = $2 and email_key = $3 for key share
  ), made as (
    insert into acknowledgements as a (organization_id, occurrence_id, user_id, way, note, step)
    select $2, s.id, u.id, $4, $5, $6::smallint from subject s cross join author u
    on conflict (occurrence_id, user_id) do update set at = a.at
    returning at, way, note, step, xmax = 0 "isNew"
  )
  select (select id from subject) occurrence, (select email from author) "user", made.*
  from (values (1)) one left join made on true`;

/** SQL for the first acknowledgements of an occurrence as JSON. */
export const acknowledgementsOf = (occurrence: string) => `
  (select coalesce(json_agg(json_build_object('user', u.email, 'at', a.at, 'way', a.way, 'step', a.step, 'note', a.note) order by a.id), '[]')
   from (select * from acknowledgements where occurrence_id = ${occurrence} order by id limit ${MAX_SHOWN}) a join users u on u.id = a.user_id)`;
