/** Deliveries of a user. `+ 0`: the index of a user's deliveries has no order (decision 17). $1: user, $2: organization, $3: after this id, $4: how many. */
export const DELIVERIES_OF_USER = `
  select id from deliveries where user_id = $1 and organization_id = $2 and id > $3 order by id + 0 limit $4`;

/** What was sent, where to, also which devices, and what the provider answered. Counts and outcomes stay. $1: deliveries. */
export const ERASE_DELIVERIES = `
  with texts as (
    delete from messages where delivery_id = any($1::bigint[])
  ), answers as (
    update attempts set answer = '' where delivery_id = any($1::bigint[]) and answer <> ''
  ), reported as (
    update delivery_reports set detail = '' where delivery_id = any($1::bigint[]) and detail <> ''
  )
  update deliveries set reason = null, evidence = null, devices = null
  where id = any($1::bigint[]) and (reason is not null or evidence is not null or devices is not null)`;

/** The contexts and files of occurrences that were about this user alone. The purge deletes files that nothing refers to. $1: deliveries, $2: user. */
export const ERASE_CONTEXTS = `
  with erased as (
    update occurrences o set context = '{}', digest = o.digest || '{"items": []}', options = o.options - 'attachments'
    where o.id = any(array(select distinct occurrence_id from deliveries where id = any($1::bigint[])))
      and o.status not in ('pending', 'expanding', 'held') and (o.context <> '{}' or o.digest->'items' <> '[]' or o.options ? 'attachments')
      and not exists (select from deliveries d where d.occurrence_id = o.id and (d.user_id not in (0, $2) or d.status = 'pending'))
    returning o.id
  )
  delete from attachments where occurrence_id in (select id from erased)`;

/** Messages that wait for their digest, and the places of limits: their keys are values of contexts. $1: user, $2: organization. */
export const ERASE_WAITING = `
  with open as (
    delete from digests where user_id = $1 and organization_id = $2
  )
  delete from message_places where user_id = $1 and organization_id = $2`;

/** $1: organization, $2: from this id. */
export const NEXT_EVENT = `select id from events where organization_id = $1 and id >= $2 order by id limit 1`;

const FIELDS = ['context', 'options', 'decisions', 'digest'];

/**
 * The next occurrences of an event; the columns of those that mention an address. $1: event, $2: after this id, $3: patterns, $4: how many.
 */
export const NEXT_OCCURRENCES = `
  select id, ${FIELDS.map((field) => `case when mentions then ${field} end ${field}`).join(', ')}, case when mentions then problem end problem, mentions
  from (
    select *, concat(${FIELDS.map((field) => `${field}::text`).join(', ')}, problem) ilike any($3::text[]) mentions
    from (select id, ${FIELDS.join(', ')}, problem from occurrences where event_id = $1 and id > $2 order by id limit $4) page
  ) read order by id`;

/** $1: occurrence, then the columns. */
export const WRITE_OCCURRENCE = `
  update occurrences set context = $2::jsonb, options = $3::jsonb, decisions = $4::jsonb, digest = $5::jsonb, problem = $6 where id = $1`;
