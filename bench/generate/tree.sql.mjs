// Each organization has a project, two channels, layouts and partials (one of the project, one of the organization each), a category, an application, an event whose
// rule notifies a list, an event without rules, a list of everyone, an empty list, a key, a disabled status webhook and a paused schedule.

/** $1: number of organizations. */
export const ORGANIZATIONS = `
  insert into organizations (slug, name) select concat('generated-', n), concat('Generated ', n) from generate_series(1, $1::int) n`;

export const TREES = `
  create temporary view made as select id from organizations where slug like 'generated-%';
  insert into projects (organization_id, slug, name) select id, 'p', 'P' from made;
  insert into applications (organization_id, project_id, slug, name)
    select organization_id, p.id, 'a', 'A' from projects p join made on made.id = organization_id;
  insert into events (organization_id, application_id, slug, name)
    select organization_id, a.id, event, event from applications a join made on made.id = organization_id, unnest(array['told', 'untold']) event;
  insert into channels (organization_id, slug, name, type) select id, 'out', 'Out', 'inbox' from made;
  insert into channels (organization_id, project_id, slug, name, type, config)
    select organization_id, p.id, 'hook', 'Hook', 'webhook', '{"url": "https://hook.test/in"}' from projects p join made on made.id = organization_id;
  insert into layouts (organization_id, project_id, slug, text)
    select organization_id, project, 'main', 'Hi {{ content }}' from projects p join made on made.id = organization_id, unnest(array[null, p.id]) project;
  insert into partials (organization_id, project_id, slug, text)
    select organization_id, project, 'end', 'Bye' from projects p join made on made.id = organization_id, unnest(array[null, p.id]) project;
  insert into categories (organization_id, project_id, slug, name)
    select organization_id, p.id, 'news', 'News' from projects p join made on made.id = organization_id;
  insert into distribution_lists (organization_id, project_id, name, name_key)
    select organization_id, p.id, list, lower(list) from projects p join made on made.id = organization_id, unnest(array['All', 'Nobody']) list;
  insert into notifications (organization_id, event_id, name)
    select organization_id, e.id, 'Tell all' from events e join made on made.id = organization_id where e.slug = 'told';
  analyze organizations, applications, events, channels, distribution_lists, notifications;
  create temporary table trees as
    select organization_id, a.id application_id, e.id event_id, c.id channel_id, l.id list_id, n.id notification_id
    from made join applications a on a.organization_id = made.id
    join events e using (organization_id) join channels c using (organization_id) join distribution_lists l using (organization_id)
    join notifications n using (organization_id)
    where e.slug = 'told' and c.slug = 'out' and l.name = 'All'
    order by organization_id;
  create unique index on trees (organization_id);
  drop view made;
  analyze trees`;

const TEXT = 'Hi {{ user.first_name }}, {{ total }} EUR.';

export const BELOW = `
  insert into notification_lists (organization_id, notification_id, list_id)
    select organization_id, notification_id, list_id from trees;
  insert into templates (organization_id, notification_id, channel_id, subject, text)
    select organization_id, notification_id, channel_id, 'Order {{ order }} paid', '${TEXT}' from trees;
  with rule as (
    select organization_id, event_id, jsonb_build_object(
      'id', notification_id, 'name', 'Tell all', 'enabled', true, 'when', null, 'audience', null, 'lists', jsonb_build_array(list_id),
      'templates', jsonb_build_array(jsonb_build_object('channel', channel_id,
        'parts', jsonb_build_object('subject', 'Order {{ order }} paid', 'text', '${TEXT}')))) rule
    from trees
  ), version as (
    insert into rule_versions (organization_id, event_id, hash, rule, bytes)
    select organization_id, event_id, sha256(convert_to(rule::text, 'UTF8')), rule, octet_length(rule::text) from rule
    returning id, organization_id, event_id
  ), kept as (
    insert into rulesets (organization_id, event_id, versions)
    select organization_id, event_id, array[id] from version returning id, event_id
  )
  update events e set ruleset_id = kept.id from kept where e.id = kept.event_id;
  insert into api_keys (organization_id, name, permissions, hash)
    select organization_id, 'generated', array['event:trigger'], sha256(gen_random_uuid()::text::bytea) from trees;
  insert into audit_entries (organization_id, actor, verb, noun, name)
    select organization_id, 'carillon apply', 'create', noun, 'generated' from trees, unnest(array['project', 'channel', 'event']) noun;
  insert into channel_states (channel_id, next_send_at) select channel_id, now() from trees;
  insert into schedules (organization_id, event_id, cron, time_zone, enabled)
    select organization_id, event_id, '0 9 * * mon', 'UTC', false from trees;
  insert into status_webhooks (application_id, organization_id, url, secret, outcomes, enabled)
    select application_id, organization_id, 'https://status.test/in', 'none', '{dead}', false from trees`;

// The organizations take turns, so the users of one organization are not adjacent, as in a real database. Every third user also
// has a phone.
export const PEOPLE = [
  `insert into users (organization_id, email, email_key, first_name, last_name, custom_fields)
   select organization_id, email, email, 'User', n::text, '{"team": "ops"}' from generate_series(1, $1::int) n, trees,
     lateral (select concat('user', n, '@generated', organization_id, '.test') email) e
   order by n, organization_id`,
  `insert into addresses (organization_id, user_id, name, value)
   select organization_id, u.id, kind, case kind when 'email' then email else concat('+1555', lpad(u.id::text, 7, '0')) end
   from users u join trees using (organization_id), unnest(array['email', 'phone']) kind
   where kind = 'email' or u.id % 3 = 0
   order by u.id`,
  `insert into members (organization_id, list_id, user_id, address_id)
   select a.organization_id, list_id, user_id, a.id from addresses a join trees using (organization_id)
   where a.name = 'email' order by a.id`,
];
