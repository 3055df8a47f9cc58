import { rulesetOf } from '../../../rules/ruleset/rule.sql.js';
import { resolutionsOf } from '../../../rules/thread/resolution.sql.js';
import { MAX_RECIPIENTS } from '../../../rules/ruleset/named.js';

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

/** Bounds the search for those who were told before: notifications with steps and a thread, and the newest occurrences of each. */
const MAX_NOTIFICATIONS = 50;
const MAX_OCCURRENCES = 1000;

/** The notifications whose steps a thread `t` ends, of the application of an event `e`. */
const THREADED = `
      select n.id, n.event_id, n.thread from events x join notifications n on n.event_id = x.id
      where x.application_id = e.application_id and (t.event is null or x.id = t.event and n.thread = t.field)
        and n.thread is not null and n.steps is not null order by n.id limit ${MAX_NOTIFICATIONS}`;

const BEFORE = resolutionsOf({ occurrence: 'past.id', value: 't.hash', field: 'n.thread' });

/**
 * The users who had a message, or are about to get one, about threads that a trigger of an event resolves, and that no trigger before it has resolved. Only for an event with a
 * notification that means them. $1: event, $2: events, $3: fields, $4: values, $5: their hashes in hexadecimal digits, $6: the occurrence of the trigger, or null,
 * $7: whether the event need not have one.
 */
export const FIND_TOLD = `
  select coalesce(json_agg(u.email), '[]') told from (
    select distinct d.user_id
    from events e
    join ${rulesetOf('e.ruleset_id')}
    join unnest($2::int[], $3::text[], $4::text[], $5::text[]) t(event, field, value, hash) on true
    cross join lateral (${THREADED}) n
    cross join lateral (
      select id, context from occurrences where event_id = n.event_id and id is distinct from $6::uuid order by id desc limit ${MAX_OCCURRENCES}) past
    join deliveries d on d.occurrence_id = past.id and d.notification_id = n.id and d.user_id <> 0 and d.status in ('sent', 'pending')
    where e.id = $1::int and ($7::bool or r.rules @> '[{"to":"told"}]') and past.context #>> string_to_array(n.thread, '.') = t.value
      and not exists (select from ${BEFORE} and r.occurrence_id is distinct from $6)
    limit ${MAX_RECIPIENTS}) d
  join users u on u.id = d.user_id`;

/**
 * How many of the newest occurrences have open steps about each of these threads, or are about to have some. $1: event, $2: events, $3: fields, $4: values,
 * $5: their hashes in hexadecimal digits.
 */
export const COUNT_OPEN = `
  select count(distinct o.id)::int open
  from events e
  cross join unnest($2::int[], $3::text[], $4::text[], $5::text[]) with ordinality t(event, field, value, hash, position)
  left join lateral (
    select past.id from (${THREADED}) n
    cross join lateral (
      select id, context, status, open_steps from occurrences where event_id = n.event_id order by id desc limit ${MAX_OCCURRENCES}) past
    where past.context #>> string_to_array(n.thread, '.') = t.value
      and (past.status in ('pending', 'expanding', 'held') or n.id = any(past.open_steps))
      and not exists (select from ${BEFORE})) o on true
  where e.id = $1::int
  group by t.position order by t.position`;

/** A replay keeps those of the first trigger. $1: occurrence, $2: those who were told, as JSON. */
export const NOTE_TOLD = `update occurrences set options = options || jsonb_build_object('told', $2::jsonb) where id = $1::uuid and not options ? 'told'`;
