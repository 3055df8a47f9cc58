import { rulesetOf } from '../../../rules/ruleset/rule.sql.js';

/** An event of the application of another one, and the fields that the threads of its steps have. $1: the other event, $2: slug. */
export const THREADS_OF_EVENT = `
  select t.id, array(
    select distinct rule->>'thread' from jsonb_array_elements(r.rules) rule where rule ? 'thread' and rule ? 'steps' order by 1) fields
  from events e
  join events t on t.application_id = e.application_id and t.slug = $2
  left join ${rulesetOf('t.ruleset_id')}
  where e.id = $1`;

/** $1: occurrence, $2: its event, $3: events, $4: fields, $5: values in hexadecimal digits. */
export const STORE_RESOLUTIONS = `
  insert into thread_resolutions (occurrence_id, position, organization_id, application_id, event_id, field, value)
  select $1::uuid, r.position, e.organization_id, e.application_id, r.event_id, r.field, decode(r.value, 'hex')
  from events e cross join unnest($3::int[], $4::text[], $5::text[]) with ordinality r(event_id, field, value, position)
  where e.id = $2::int`;
