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
  from notification_lists u join notifications n on n.id = u.notification_id where u.list_id = any($1) order by 1, 2`;

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
