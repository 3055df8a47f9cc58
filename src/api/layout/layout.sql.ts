import { textBytes, withinBytes } from '../../platform/database/next-rows.js';
import type { FragmentKind } from './fragments.js';

/** All layouts and partials, as one table. */
const FRAGMENTS = `(
    select 'layout' kind, id, organization_id, project_id, slug, partials from layouts
    union all
    select 'partial', id, organization_id, project_id, slug, partials from partials)`;

/**
 * The templates that use a layout or partial, themselves or through others. $1: organization, $2: the project that it belongs to, or null,
 * $3: `layout` or `partial`, $4: slug. A project that has its own one of this slug does not use the organization's.
 */
const USING = `
  with recursive touched(kind, slug) as (
    select $3::text, $4::text
    union
    select f.kind, f.slug from touched t join ${FRAGMENTS} f on t.kind = 'partial' and t.slug = any(f.partials)
    where f.organization_id = $1 and ($2::int is null or f.project_id is null or f.project_id = $2)
  ), templates_using as (
    select t.id, n.id notification_id, n.name, n.event_id, e.slug event, a.slug application, p.id project_id, p.slug project, t.channel_id
    from templates t
    join notifications n on n.id = t.notification_id
    join events e on e.id = n.event_id
    join applications a on a.id = e.application_id
    join projects p on p.id = a.project_id
    where t.organization_id = $1 and (t.layout is not null or t.partials <> '{}')
      and ($2::int is null or p.id = $2)
      and (t.layout in (select slug from touched where kind = 'layout')
        or t.partials && array(select slug from touched where kind = 'partial'))
      and ($2::int is not null or not exists (
        select from ${FRAGMENTS} h where h.organization_id = $1 and h.project_id = p.id and h.kind = $3 and h.slug = $4))
  )`;

/** $5: the id of the template to start after, $6: limit. */
export const LIST_USES = `${USING}
  select u.id, u.project, u.application, u.event, u.notification_id notification, u.name, c.slug channel
  from templates_using u join channels c on c.id = u.channel_id
  where u.id > $5 order by u.id limit $6`;

/** The events to renew, in the order in which they are locked. */
export const FIND_EVENTS_USING = `${USING} select distinct event_id id from templates_using order by 1`;

/** The events of all templates with a layout or partials, in the order in which they are locked. $1: organization. */
export const FIND_EVENTS_WITH_SHARED = `
  select distinct n.event_id id from templates t join notifications n on n.id = t.notification_id
  where t.organization_id = $1 and (t.layout is not null or t.partials <> '{}') order by 1`;

const listOf = (table: string) =>
  withinBytes(`
    select slug, html, text, mjml, ${textBytes('html', 'text', 'mjml')} bytes from ${table}
    where organization_id = $1 and project_id is not distinct from $2::int and ($3::text is null or slug > $3)
    order by slug limit $4`);

/** The layouts or partials of one owner. $1: organization, $2: project or null, $3: the slug to start after, or null, $4: limit. */
export const LIST_FRAGMENTS: Record<FragmentKind, string> = { layout: listOf('layouts'), partial: listOf('partials') };
