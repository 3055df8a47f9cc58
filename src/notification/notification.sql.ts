import { jsonBytes, textBytes, withinBytes } from '../prisma/next-rows.js';

/**
 * The notifications of an event with their lists and templates, in one statement; Prisma would send five.
 * $1 event, $2 the id to start after, $3 the id of a single notification or null, $4 limit.
 */
export const FIND_NOTIFICATIONS = `
  select n.id, n.name, n.enabled, n."when", n."isCut",
    array(select l.name from notification_lists u join distribution_lists l on l.id = u.list_id
          where u.notification_id = n.id order by l.id) distribution_lists,
    n.audience,
    (select coalesce(json_agg(json_build_object('channel', c.slug, 'subject', t.subject, 'text', t.text, 'html', t.html,
                                                'markdown', t.markdown) order by t.id), '[]')
     from templates t join channels c on c.id = t.channel_id where t.notification_id = n.id) templates
  from (${withinBytes(`
    select n.*, ${jsonBytes('n.audience')} + ${textBytes('n."when"')} + (
      select coalesce(sum(${textBytes('t.subject', 't.text', 't.html', 't.markdown')}), 0)
      from templates t where t.notification_id = n.id) bytes
    from notifications n
    where n.event_id = $1 and n.id > $2 and ($3::int is null or n.id = $3) order by n.id limit $4`)}) n
  order by n.id`;

const RULES = `
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', n.id, 'name', n.name, 'enabled', n.enabled, 'when', n."when", 'audience', n.audience,
    'lists', (select coalesce(jsonb_agg(list_id order by list_id), '[]') from notification_lists where notification_id = n.id),
    'templates', (
      select coalesce(jsonb_agg(jsonb_build_object('channel', t.channel_id, 'parts', jsonb_strip_nulls(jsonb_build_object(
        'subject', t.subject, 'text', t.text, 'html', t.html, 'markdown', t.markdown))) order by t.channel_id), '[]')
      from templates t where t.notification_id = n.id)
  ) order by n.id), '[]')
  from notifications n where n.event_id = $1`;

/** Creates a new ruleset for the event $1, if its rules differ from the current ruleset. */
export const RENEW_RULESET = `
  with fresh as (
    insert into rulesets (organization_id, event_id, rules)
    select e.organization_id, e.id, (${RULES})
    from events e left join rulesets r on r.id = e.ruleset_id
    where e.id = $1 and (${RULES}) is distinct from coalesce(r.rules, '[]')
    returning id
  )
  update events set ruleset_id = fresh.id from fresh where events.id = $1`;
