import { CLOCK_OF, RECIPIENTS, UNTIL, clocks } from '../../rules/ruleset/choices.sql.js';
import { NAMES, RECIPIENT_COLUMNS } from '../../rules/ruleset/message.sql.js';
import { FIRST_FREE_PARAMETER, judgedUsers } from '../../rules/ruleset/users.sql.js';
import type { UserQueryText } from '../../rules/ruleset/users.sql.js';
import { rulesetOf } from '../../rules/ruleset/rule.sql.js';

/**
 * The current rules of an event, and the context as an occurrence would store it: jsonb changes the order of keys.
 * $1: organization, $2: event, $3: context.
 */
export const LOAD_EVENT = `
  select coalesce(r.rules, '[]') rules, $3::text::jsonb context, ${NAMES}, ${RECIPIENTS}, e.max_recipients ceiling, e.resolves_event "resolvesEvent",
         array_remove(array[case when not p.enabled then 'project ' || p.name end, case when not a.enabled then 'application ' || a.name end,
                            case when not e.enabled then 'event ' || e.name end], null) off
  from events e
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = e.organization_id
  left join ${rulesetOf('e.ruleset_id')}
  where e.organization_id = $1 and e.id = $2`;

/** $1: organization, $2: channels. */
export const LOAD_CHANNELS = `
  select id, slug, name, type, enabled, config, project_id "projectId" from channels
  where organization_id = $1 and id = any($2)`;

/** $1: a time on a clock, $2: its zone. */
export const LOCAL_INSTANT = `select local_instant($1, $2) until`;

/** The users of a rule over a channel, by gate. For `userQuery`. */
export const usersByGate: UserQueryText = (audience, variant) => `
  with ${judgedUsers(audience, variant)}
  select gate, array_agg(user_id) users from judged group by gate`;

/** The first users whom no gate keeps back. For `userQuery` with two more values: how many, and the time. */
export const firstUsers: UserQueryText = (audience, variant) => `
  with ${judgedUsers(audience, variant)}, time as (
    select $${FIRST_FREE_PARAMETER + 1}::timestamptz at
  ), open as (
    select * from judged where gate is null order by user_id limit $${FIRST_FREE_PARAMETER}
  )${variant.choose ? `, clocks as materialized (${clocks('open', '(select at from time)')})` : ''}
  select '' id, 0 attempts, 0 "attemptsBefore", u.id "userId", ${RECIPIENT_COLUMNS}${variant.choose ? `, ${UNTIL} until, k.waits_for "waitsFor"` : ''}
  from open j join users u on u.id = j.user_id left join addresses a on a.id = j.address_id
  ${variant.choose ? CLOCK_OF : ''}
  order by u.id`;
