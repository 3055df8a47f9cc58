/** Locks the project $1, and reads its messages. */
export const LOCK_MESSAGES = `select messages from projects where id = $1 for no key update`;

/** The same for a template that uses them: they cannot be changed before the transaction ends. */
export const SHARE_MESSAGES = `select messages from projects where id = $1 for share`;

/**
 * The templates of the project $1 that use one of the keys $2, themselves or through a layout or partials, the first $3 of them; and those of the keys
 * that they use themselves.
 */
export const USERS_OF_KEYS = `
  with recursive fragments(kind, slug, project_id, partials, message_keys) as (
    select f.kind, f.slug, f.project_id, f.partials, f.message_keys
    from projects p, lateral (
      select 'layout' kind, slug, project_id, partials, message_keys from layouts where organization_id = p.organization_id
      union all
      select 'partial', slug, project_id, partials, message_keys from partials where organization_id = p.organization_id) f
    where p.id = $1 and (f.project_id is null or f.project_id = $1)
  ), touched(kind, slug) as (
    select kind, slug from fragments where message_keys && $2::text[]
    union
    select f.kind, f.slug from touched u join fragments f on u.kind = 'partial' and u.slug = any(f.partials)
  )
  select e.id event, a.slug || '/' || e.slug || '/' || n.name name, c.slug channel,
         array(select unnest(t.message_keys) intersect select unnest($2::text[]) order by 1) keys
  from applications a
  join events e on e.application_id = a.id
  join notifications n on n.event_id = e.id
  join templates t on t.notification_id = n.id
  join channels c on c.id = t.channel_id
  where a.project_id = $1 and (
    t.message_keys && $2::text[]
    or t.layout in (select slug from touched where kind = 'layout')
    or t.partials && array(select slug from touched where kind = 'partial'))
  order by e.id, n.id, t.id limit $3`;

/** The layouts and partials of the project $1 that use one of the keys $2, and which. */
export const FRAGMENTS_WITH_KEYS = `
  select f.kind, f.slug, array(select unnest(f.message_keys) intersect select unnest($2::text[]) order by 1) keys
  from (
    select 'layout' kind, slug, message_keys from layouts where project_id = $1
    union all
    select 'partial', slug, message_keys from partials where project_id = $1) f
  where f.message_keys && $2::text[]
  order by 1, 2`;

/** Templates with translations, of all organizations, the first $1 of them. */
export const TRANSLATED_TEMPLATES = `
  select g.slug || '/' || p.slug || '/' || a.slug || '/' || e.slug || '/' || n.name name,
         t.subject, t.text, t.html, t.markdown, t.mjml, t.translations, t.translated_from "from"
  from templates t
  join notifications n on n.id = t.notification_id
  join events e on e.id = n.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = p.organization_id
  where t.translations is not null order by t.id limit $1`;

/** Projects with messages, of all organizations, the first $1 of them. */
export const MESSAGES_OF_ALL = `
  select g.slug || '/' || p.slug name, p.messages from projects p join organizations g on g.id = p.organization_id
  where p.messages is not null order by p.id limit $1`;
