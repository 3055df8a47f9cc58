/*
 * Statements that find the rows that block a deletion. $1 are the ids to delete. Each result has the `id` of such a row and the name of a
 * `blocker`, in a stable order.
 */

export const PROJECTS_IN_ORGANIZATIONS = `
  select organization_id id, 'the project ' || slug blocker from projects where organization_id = any($1) order by 1, slug`;

export const APPLICATIONS_IN_PROJECTS = `
  select project_id id, 'the application ' || slug blocker from applications where project_id = any($1) order by 1, slug`;

export const EVENTS_IN_APPLICATIONS = `
  select application_id id, 'the event ' || slug blocker from events where application_id = any($1) order by 1, slug`;

/** Only one occurrence for each event: there may be millions. */
export const OPEN_OCCURRENCES_OF_EVENTS = `
  select e.id, 'its occurrence ' || open.id blocker
  from unnest($1::int[]) e(id) cross join lateral (
    select o.id from occurrences o where o.event_id = e.id
      and (o.status in ('pending', 'expanding', 'held')
           or exists (select from deliveries d where d.occurrence_id = o.id and d.status = 'pending'))
    limit 1
  ) open
  order by 1`;

/** A fallback among channels that are deleted together does not block them. */
export const USERS_OF_CHANNELS = `
  select t.channel_id id, 'the notification ' || n.name blocker
  from templates t join notifications n on n.id = t.notification_id where t.channel_id = any($1)
  union
  select m.channel_id, 'the distribution list ' || l.name
  from members m join distribution_lists l on l.id = m.list_id where m.channel_id = any($1)
  union
  select fallback_id, 'the channel ' || slug from channels where fallback_id = any($1) and id <> all($1)
  order by 1, 2`;

export const NOTIFICATIONS_TO_LISTS = `
  select u.list_id id, 'the notification ' || n.name blocker
  from notification_lists u join notifications n on n.id = u.notification_id where u.list_id = any($1)
  union
  select l.id, 'the notification ' || n.name
  from distribution_lists l
  join notifications n on n.organization_id = l.organization_id and jsonb_path_exists(n.steps, '$[*].to.lists[*] ? (@ == $list)', jsonb_build_object('list', l.id))
  where l.id = any($1) order by 1, 2`;

export const EVENTS_IN_CATEGORIES = `
  select e.category_id id, 'the event ' || a.slug || '/' || e.slug blocker
  from events e join applications a on a.id = e.application_id where e.category_id = any($1) order by 1, 2`;

/** By the user too: the members of a user have an index, those of an address have none. */
export const LISTS_WITH_ADDRESSES = `
  select a.id, 'the distribution list ' || l.name blocker
  from addresses a
  join members m on m.user_id = a.user_id and m.address_id = a.id
  join distribution_lists l on l.id = m.list_id
  where a.id = any($1) order by 1, m.id`;

/** Where no other one of the same slug takes the place of the deleted ones `f`: the organization's takes the place of a project's. */
const notReplaced = (table: string) =>
  `(f.project_id is null or not exists (select from ${table} o where o.organization_id = f.organization_id and o.project_id is null and o.slug = f.slug))`;

/** As the index of such templates says it. */
const SHARING = `(t.layout is not null or t.partials <> '{}')`;

/** The templates `t` that mean `f` and not one of their own project that hides it. */
const templatesOf = (table: string) => `
  join notifications n on n.id = t.notification_id
  join events e on e.id = n.event_id
  join applications a on a.id = e.application_id
    and (a.project_id = f.project_id
      or f.project_id is null and not exists (select from ${table} h where h.project_id = a.project_id and h.slug = f.slug))`;

/** The layout `default` exists always. */
export const USERS_OF_LAYOUTS = `
  select f.id, 'the notification ' || n.name blocker
  from layouts f
  join templates t on t.organization_id = f.organization_id and ${SHARING} and t.layout = f.slug ${templatesOf('layouts')}
  where f.id = any($1) and f.slug <> 'default' and ${notReplaced('layouts')}
  group by 1, 2 order by 1, 2`;

/** Layouts and partials that are deleted together do not block each other. */
const FRAGMENTS_WITH_PARTIALS = (table: string, noun: string) => `
  select f.id, 'the ${noun} ' || u.slug blocker
  from partials f
  join ${table} u on u.organization_id = f.organization_id and f.slug = any(u.partials)
    and (u.project_id = f.project_id
      or f.project_id is null and not exists (select from partials h where h.project_id = u.project_id and h.slug = f.slug))
  where f.id = any($1) and ${notReplaced('partials')} ${table === 'partials' ? 'and u.id <> all($1)' : ''}`;

export const USERS_OF_PARTIALS = `
  select f.id, 'the notification ' || n.name blocker
  from partials f
  join templates t on t.organization_id = f.organization_id and ${SHARING} and f.slug = any(t.partials) ${templatesOf('partials')}
  where f.id = any($1) and ${notReplaced('partials')}
  union
  ${FRAGMENTS_WITH_PARTIALS('layouts', 'layout')}
  union
  ${FRAGMENTS_WITH_PARTIALS('partials', 'partial')}
  order by 1, 2`;
