import { stepsWithLists } from '../../../api/notification/step/step-to.sql.js';
import { eventSelect } from '../../../api/event/event.dto.js';
import { fieldName } from '../../../platform/database/columns.js';

/** The columns among the fields of a response, so that an export has those that are added later. */
const settingsOf = (select: object, table: string) =>
  Object.entries(select)
    .filter(([, isColumn]) => isColumn === true)
    .map(([column]) => `${table}.${fieldName(column)}`)
    .join(', ');

/** $1 organization. Rows are ordered by creation, so that `apply` creates them in the same order in another database. */
export const ORGANIZATION = `
  select id, slug, name, quotas, time_zone, quiet_hours, locale, message_limit "limit", color, address, links,
         (select jsonb_build_object('content', translate(encode(c.bytes, 'base64'), E'\\n', ''))
          from files f join file_chunks c on c.organization_id = f.organization_id and c.file_id = f.id and c.position = 0
          where f.organization_id = o.id and f.sha256 = decode(o.logo->>'sha256', 'hex')) logo,
         page_texts, nullif(origins, '{}') origins, alerts
  from organizations o where id = $1`;

export const CHANNELS = `
  select id, project_id "projectId", slug, name, type, enabled, config, fallback_id "fallbackId"
  from channels where organization_id = $1 order by id`;

const fragmentsOf = (table: string) => `
  select project_id "projectId", slug, html, text, mjml from ${table} where organization_id = $1 order by id`;

export const LAYOUTS = fragmentsOf('layouts');
export const PARTIALS = fragmentsOf('partials');

export const PROJECTS = 'select id, slug, name, enabled, messages from projects where organization_id = $1 order by id';

export const LISTS = `
  select id, project_id "projectId", name, open, description from distribution_lists where organization_id = $1 order by id`;

export const APPLICATIONS = `
  select a.id, a.project_id "projectId", a.slug, a.name, a.enabled,
         case when w.url is not null then json_build_object('url', w.url, 'outcomes', w.outcomes, 'enabled', w.enabled) end webhook
  from applications a left join status_webhooks w on w.application_id = a.id where a.organization_id = $1 order by a.id`;

export const CATEGORIES = `
  select project_id "projectId", slug, name, description, "default", channels, frequencies::text[], digest_at from categories where organization_id = $1 order by id`;

export const EVENTS = `
  select e.id, e.application_id "applicationId", ${settingsOf(eventSelect, 'e')}, c.slug category,
         case when s.id is not null then json_build_object('cron', s.cron, 'time_zone', s.time_zone, 'context', s.context, 'options', s.options,
                                                           'enabled', s.enabled) end schedule
  from events e left join categories c on c.id = e.category_id left join schedules s on s.event_id = e.id where e.organization_id = $1 order by e.id`;

export const NOTIFICATIONS = `
  select n.event_id "eventId", n.name, n.enabled, n."when", n.audience, n.send_to "to",
         n.send_window "window", n.digest, n.message_limit "limit", ${stepsWithLists('n.steps')} steps, n.acknowledge, n.thread,
         array(select l.name from notification_lists u join distribution_lists l on l.id = u.list_id
               where u.notification_id = n.id order by l.id) lists,
         coalesce((select json_agg(json_build_object('channelId', t.channel_id, 'per', t.per, 'mjml', t.mjml, 'parts', json_build_object(
                     'subject', t.subject, 'text', t.text, 'html', t.html, 'markdown', t.markdown,
                     'from', t.send_from, 'reply_to', t.reply_to, 'headers', t.headers,
                     'url', t.rich->'url', 'image', t.rich->'image', 'actions', t.rich->'actions', 'data', t.rich->'data', 'template', t.rich->'template', 'layout', t.layout, 'translations', t.translations)) order by t.id)
                   from templates t where t.notification_id = n.id), '[]') templates
  from notifications n where n.organization_id = $1 order by n.id`;

/** $1 organization, $2 the key of the e-mail to start after, $3 limit. Leaves out the address that every user has: their own e-mail. */
export const USERS = `
  select id, email_key "key", email, first_name "firstName", last_name "lastName", locked, custom_fields "customFields",
         time_zone "timeZone", quiet_hours "quietHours", locale,
         coalesce((select json_agg(json_build_object('name', a.name, 'value', a.value) order by a.name, a.value)
                   from addresses a where a.user_id = u.id and (a.name, a.value) <> ('email', u.email)), '[]') addresses
  from users u where organization_id = $1 and email_key > $2 order by email_key limit $3`;

/** $1 list, $2 the key of the e-mail to start after, $3 limit. */
export const MEMBERS = `
  select u.email_key "key", u.email, m.channel_id "channelId", m.active
  from members m join users u on u.id = m.user_id join addresses a on a.id = m.address_id
  where m.list_id = $1 and u.email_key > $2 and (a.name, a.value) = ('email', u.email) order by u.email_key limit $3`;
