import { suppresses } from '../../platform/field/email.js';
import { RECIPIENTS } from '../../rules/ruleset/choices.sql.js';
import { NAMES } from '../../rules/ruleset/message.sql.js';
import { FIRST_ADDRESS } from '../../rules/ruleset/users.sql.js';

/**
 * The names that a message of an event can show, the context as an occurrence would store it, the channel and the user. A channel of the
 * project takes precedence over a channel of the organization with the same slug. $1: organization, $2: event, $3: context, $4: slug of a
 * channel, $5: `emailKey` of a user, $6: an occurrence of the event.
 */
export const LOAD_DRAFT = `
  select $3::text::jsonb context, p.messages, ${NAMES}, ${RECIPIENTS},
         (select json_build_object('id', c.id, 'slug', c.slug, 'name', c.name, 'type', c.type, 'config', c.config, 'projectId', c.project_id) from channels c
          where c.organization_id = $1 and (c.project_id = p.id or c.project_id is null) and c.slug = $4
          order by c.project_id nulls last limit 1) channel,
         (select json_build_object(
            'email', u.email, 'firstName', u.first_name, 'lastName', u.last_name, 'customFields', u.custom_fields,
            'locale', u.locale, 'timeZone', u.time_zone)
          from users u where u.organization_id = $1 and u.email_key = $5) "user",
         (select json_build_object('id', o.id, 'createdAt', o.created_at, 'context', o.context, 'options', o.options, 'digest', o.digest)
          from occurrences o where o.id = $6::uuid and o.event_id = e.id and o.organization_id = $1) earlier
  from events e
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = e.organization_id
  where e.organization_id = $1 and e.id = $2`;

/** What stops the messages of the event $2 over a channel: what is off. $1: organization, $3: slug of the channel, $4: its project or null. */
export const FIND_OFF = `
  select off.noun
  from events e
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join channels c on c.organization_id = $1 and c.slug = $3 and c.project_id is not distinct from $4::int,
  lateral (values (p.enabled, 'project'), (a.enabled, 'application'), (e.enabled, 'event'), (c.enabled, 'channel')) off (enabled, noun)
  where e.organization_id = $1 and e.id = $2 and not off.enabled`;

/** Where a channel reaches a user. $1: organization, $2: `emailKey` of the user, $3: kind of the address, $4: project. */
export const FIND_ADDRESS = `
  select u.locked, own.address, exists (
    select from suppressions x
    where ${suppresses('x', { organization: '$1', project: '$4::int', addressKind: '$3', address: 'own.address' })}) suppressed
  from users u, lateral (
    select coalesce(
      (select a.value from addresses a where a.user_id = u.id and a.name = $3 order by ${FIRST_ADDRESS} limit 1),
      case when $3 = 'email' then u.email end) address
  ) own
  where u.organization_id = $1 and u.email_key = $2`;
