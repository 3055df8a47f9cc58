import { jsonBytes, textBytes, withinBytes } from '../../platform/database/next-rows.js';
import { shownSteps } from './step/step-to.sql.js';
import { rulesetOf } from '../../rules/ruleset/rule.sql.js';

/**
 * The notifications of an event with their lists and templates, in one statement; Prisma would send five.
 * $1 event, $2 the id to start after, $3 the id of a single notification or null, $4 limit.
 */
export const FIND_NOTIFICATIONS = `
  select n.id, n.name, n.enabled, n."when", n."isCut",
    array(select l.name from notification_lists u join distribution_lists l on l.id = u.list_id
          where u.notification_id = n.id order by l.id) distribution_lists,
    n.audience, n.send_to "to", n.send_window "window", n.digest, n.message_limit "limit", n.thread,
    ${shownSteps('n.steps')} steps, n.acknowledge,
    (select coalesce(json_agg(json_build_object('channel', c.slug, 'subject', t.subject, 'text', t.text, 'html', t.html,
                                                'markdown', t.markdown, 'mjml', t.mjml, 'from', t.send_from, 'reply_to', t.reply_to, 'headers', t.headers,
                                                'url', t.rich->'url', 'image', t.rich->'image', 'actions', t.rich->'actions', 'data', t.rich->'data', 'template', t.rich->'template',
                                                'layout', t.layout, 'translations', t.translations,
                                                'translatedFrom', t.translated_from, 'per', t.per) order by t.id), '[]')
     from templates t join channels c on c.id = t.channel_id where t.notification_id = n.id) templates
  from (${withinBytes(`
    select n.*, ${jsonBytes('n.audience')} + ${textBytes('n."when"', 'n.thread')} + (
      select coalesce(sum(${textBytes('t.subject', 't.text', 't.html', 't.markdown', 't.send_from', 't.reply_to')} + ${jsonBytes('t.headers')} + ${jsonBytes('t.rich')} + ${jsonBytes('t.translations')} + ${jsonBytes('t.mjml')}), 0)
      from templates t where t.notification_id = n.id) bytes
    from notifications n
    where n.event_id = $1 and n.id > $2 and ($3::int is null or n.id = $3) order by n.id limit $4`)}) n
  order by n.id`;

/** Makes the open digests of a notification due. Leaves alone those that are due already. $1: organization, $2: notification. */
export const FLUSH_DIGESTS = `
  update digests set due_at = now() where notification_id = $2 and organization_id = $1 and due_at > now()`;

/** A trigger of the table would also run for every write of the workers. $1: organization, $2: the path of the notification. */
export const AUDIT_FLUSH = `select audit_note_as('flush', 'notification', $1, $2, 1)`;

/** Only of a post to a room: rules from before there were any keep their versions. */
const PER = `case t.per when 'room' then '{"per": "room"}'::jsonb else '{}' end`;

/** The messages of the project of the event $1. */
const TEXTS = `
    select p.messages from events e join applications a on a.id = e.application_id join projects p on p.id = a.project_id where e.id = $1`;

/** The messages with some keys, in all languages. Null: none. */
const messagesWith = (keys: string) => `(
            select jsonb_object_agg(m.language, m.used) from (
              select each.key language, (
                select jsonb_object_agg(k, each.value->k) from unnest(${keys}) k where each.value ? k) used
              from texts, jsonb_each(texts.messages) each) m
            where m.used is not null)`;

/** The messages that a template `t` uses. Only of a template that uses some. */
const MESSAGES = `case when cardinality(t.message_keys) > 0 then ${messagesWith('t.message_keys')} end`;

/** Only what is set: rules from before there was any keep their versions. */
const OPTIONAL = `jsonb_strip_nulls(jsonb_build_object('to', n.send_to, 'window', n.send_window, 'digest', n.digest, 'limit', n.message_limit, 'steps', n.steps, 'acknowledge', n.acknowledge, 'thread', n.thread))`;

/** The layouts and partials that the project of the event $1 can use. Its own ones hide the organization's, and both the built-in layout $2. */
const AVAILABLE = `
    select distinct on (kind, slug) f.kind, f.slug, f.html, f.text, coalesce(f.partials, '{}') partials, coalesce(f.message_keys, '{}') message_keys
    from events e join applications a on a.id = e.application_id, lateral (
      select 'layout' kind, slug, html, text, partials, message_keys, project_id, 1 rank from layouts where organization_id = e.organization_id
      union all
      select 'partial', slug, html, text, partials, message_keys, project_id, 1 from partials where organization_id = e.organization_id
      union all
      select 'layout', 'default', $2::jsonb->>'html', $2::jsonb->>'text', '{}', '{}', null, 2
    ) f
    where e.id = $1 and (f.project_id is null or f.project_id = a.project_id)
    order by kind, slug, rank, f.project_id nulls last`;

/** The sources that a template uses, of partials also those that others use. Only if there are any: other rules keep their versions. */
const SHARED = `case when t.layout is null and coalesce(t.partials, '{}') = '{}' then '{}'::jsonb else (
          with recursive used(slug) as (
            select unnest(t.partials || coalesce((select f.partials from available f where f.kind = 'layout' and f.slug = t.layout), '{}'))
            union
            select unnest(f.partials) from used join available f on f.kind = 'partial' and f.slug = used.slug
          ), keys as (
            select array(select distinct unnest(f.message_keys) from available f
                         where (f.kind = 'layout' and f.slug = t.layout) or (f.kind = 'partial' and f.slug in (select slug from used))) used
          )
          select jsonb_build_object('shared', jsonb_strip_nulls(jsonb_build_object(
            'layout', (select jsonb_build_object('html', f.html, 'text', f.text) from available f where f.kind = 'layout' and f.slug = t.layout),
            'partials', (select jsonb_object_agg(f.slug, jsonb_build_object('html', f.html, 'text', f.text))
                         from available f where f.kind = 'partial' and f.slug in (select slug from used)),
            'brand', (select nullif(jsonb_strip_nulls(jsonb_build_object(
                        'color', o.color, 'address', o.address, 'links', o.links, 'logo', '/logos/' || o.slug || '/' || (o.logo->>'sha256'),
                        'logo_width', o.logo->'width', 'logo_height', o.logo->'height')), '{}')
                      from events e join organizations o on o.id = e.organization_id where e.id = $1),
            'messages', (select case when cardinality(keys.used) > 0 then ${messagesWith('keys.used')} end from keys))))
          ) end`;

/**
 * Creates a new ruleset for the event $1, if its rules differ from the current ruleset. Only rules that have no such version yet are stored.
 * Returns the size before and after, and the organization's own quotas. The event must be locked: a purge deletes unused versions. $2: the HTML and
 * text of the built-in layout.
 */
export const RENEW_RULESET = `
  with texts as (${TEXTS}
  ), available as materialized (${AVAILABLE}
  ), rules as materialized (
    select n.id, jsonb_build_object(
      'id', n.id, 'name', n.name, 'enabled', n.enabled, 'when', n."when", 'audience', n.audience,
      'lists', (select coalesce(jsonb_agg(list_id order by list_id), '[]') from notification_lists where notification_id = n.id),
      'templates', (
        select coalesce(jsonb_agg(jsonb_build_object('channel', t.channel_id, 'parts', jsonb_strip_nulls(jsonb_build_object(
          'subject', t.subject, 'text', t.text, 'html', t.html, 'markdown', t.markdown,
          'from', t.send_from, 'reply_to', t.reply_to, 'headers', t.headers, 'layout', t.layout, 'translations', t.translations,
          'messages', ${MESSAGES})) || coalesce(t.rich, '{}') || ${SHARED}) || ${PER} order by t.channel_id), '[]')
        from templates t where t.notification_id = n.id)
    ) || ${OPTIONAL} rule
    from notifications n where n.event_id = $1
  ), hashed as materialized (
    select id, rule, convert_to(rule::text, 'UTF8') bytes, sha256(convert_to(rule::text, 'UTF8')) hash from rules
  ), event as (
    select e.id, e.organization_id, e.ruleset_id, coalesce(r.versions, '{}') versions, o.quotas
    from events e join organizations o on o.id = e.organization_id left join rulesets r on r.id = e.ruleset_id
    where e.id = $1
  ), added as (
    insert into rule_versions (organization_id, event_id, hash, rule, bytes)
    select event.organization_id, event.id, h.hash, h.rule, length(h.bytes) from event, hashed h
    where not exists (select from rule_versions v where v.event_id = $1 and v.hash = h.hash)
    returning id, hash
  ), after as (
    select coalesce(array_agg(coalesce(added.id, v.id) order by h.id), '{}') versions, count(*)::int notifications,
           coalesce(sum(length(h.bytes)), 0)::float8 bytes
    from hashed h left join added using (hash) left join rule_versions v on v.event_id = $1 and v.hash = h.hash
  ), made as (
    insert into rulesets (organization_id, event_id, versions)
    select event.organization_id, event.id, after.versions from event, after where after.versions <> event.versions
    returning id
  ), replaced as (
    update rulesets r set superseded_at = now() from made, event where r.id = event.ruleset_id
  ), renewed as (
    update events e set ruleset_id = made.id, takes_recipients = exists (select from rules where rule->>'to' = 'recipients')
    from made where e.id = $1
  )
  select event.quotas, after.notifications, after.bytes, cardinality(event.versions) "notificationsBefore",
         (select coalesce(sum(v.bytes), 0)::float8 from rule_versions v where v.id = any(event.versions)) "bytesBefore"
  from event, after`;

/** What a draft of a template would use. $1: event, $2: as above, $3: slug of a layout or null, $4: slugs of partials. */
export const LOAD_SHARED = `
  with texts as (${TEXTS}
  ), available as materialized (${AVAILABLE})
  select ${SHARED}->'shared' shared from (select $3::text layout, $4::text[] partials) t`;

/** The rules of the event $1. */
export const CURRENT_RULES = `select r.rules from events e join ${rulesetOf('e.ruleset_id')} where e.id = $1`;
