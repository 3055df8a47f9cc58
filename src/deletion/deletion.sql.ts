/*
 * What blocks the deletion of rows: $1 are their ids. Each statement answers `id`, one of them, and `blocker`, in a stable order.
 */

export const PROJECTS_IN_ORGANIZATIONS = `
  select organization_id id, 'the project ' || slug blocker from projects where organization_id = any($1) order by 1, slug`;

export const APPLICATIONS_IN_PROJECTS = `
  select project_id id, 'the application ' || slug blocker from applications where project_id = any($1) order by 1, slug`;

export const EVENTS_IN_APPLICATIONS = `
  select application_id id, 'the event ' || slug blocker from events where application_id = any($1) order by 1, slug`;

/** One for each event: there may be millions. */
export const OPEN_OCCURRENCES_OF_EVENTS = `
  select e.id, 'its occurrence ' || open.id blocker
  from unnest($1::int[]) e(id) cross join lateral (
    select o.id from occurrences o where o.event_id = e.id
      and (o.status in ('pending', 'expanding', 'held')
           or exists (select from deliveries d where d.occurrence_id = o.id and d.status = 'pending'))
    limit 1
  ) open
  order by 1`;

/** Channels that are deleted together do not block each other. */
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
  from notification_lists u join notifications n on n.id = u.notification_id where u.list_id = any($1) order by 1, 2`;

export const LISTS_WITH_ADDRESSES = `
  select m.address_id id, 'the distribution list ' || l.name blocker
  from members m join distribution_lists l on l.id = m.list_id where m.address_id = any($1) order by 1, m.id`;
