import { suppresses } from '../../platform/field/email.js';

/*
 * Statements about the choices of users. Categories and events are found by way of the projects of the organization: their tables have no
 * index by organization.
 */

/** $1 organization, $2 slugs of categories. A category that is found cannot be deleted before the transaction ends. */
export const FIND_CATEGORIES = `
  select c.id, p.slug || '/' || c.slug "name", c.default = 'required' "isRequired", c.frequencies::text[] frequencies
  from projects p join categories c on c.project_id = p.id
  where p.organization_id = $1 and c.slug = any($2::text[]) order by 2
  for key share of c`;

/** $1 organization, $2 slugs of events. */
export const FIND_EVENTS = `
  select e.id, p.slug || '/' || a.slug || '/' || e.slug "name", p.slug || '/' || c.slug category, c.default = 'required' "isRequired"
  from projects p join applications a on a.project_id = p.id join events e on e.application_id = a.id
  left join categories c on c.id = e.category_id
  where p.organization_id = $1 and e.slug = any($2::text[]) order by 2
  for key share of e`;

/**
 * Everything that these users have chosen, with the whole names. `counts`: false for a choice about something that nobody can refuse. $1 users.
 */
export const STORED_CHOICES = `
  select f.user_id "userId", f.category_id "categoryId", f.event_id "eventId", e.category_id "eventCategoryId", f.channel_type "type",
         f.is_on "isOn", f.frequency::text frequency, f.chosen_at "chosenAt", f.chosen_by::text "chosenBy",
         cp.slug || '/' || c.slug category, ep.slug || '/' || a.slug || '/' || e.slug "event",
         (f.category_id is null or c.default <> 'required') and (f.frequency is null or f.frequency = any(c.frequencies)) and (f.event_id is null or coalesce(ec.default <> 'required', false)) counts
  from preferences f
  left join categories c on c.id = f.category_id left join projects cp on cp.id = c.project_id
  left join events e on e.id = f.event_id left join applications a on a.id = e.application_id left join projects ep on ep.id = a.project_id
  left join categories ec on ec.id = e.category_id
  where f.user_id = any($1::int[]) order by f.user_id, f.id`;

/** The columns of choices: $2 users, $3 categories, $4 events, $5 channel types. */
const CHOICES = '$2::int[], $3::int[], $4::int[], $5::text[]';

/** A new choice takes the place of the one about the same thing. $1 organization, then CHOICES, $6 on, $7 how often, $8 who chose. */
export const PUT_CHOICES = `
  insert into preferences (organization_id, user_id, category_id, event_id, channel_type, is_on, frequency, chosen_by)
  select $1, i.*, $8::chosen_by from unnest(${CHOICES}, $6::boolean[], $7::frequency[]) i(user_id, category_id, event_id, channel_type, is_on, frequency)
  on conflict (user_id, coalesce(category_id, 0), coalesce(event_id, 0), channel_type)
  do update set is_on = excluded.is_on, frequency = excluded.frequency, chosen_by = excluded.chosen_by, chosen_at = now()`;

/** $1 organization, then CHOICES. */
export const REMOVE_CHOICES = `
  delete from preferences p using unnest(${CHOICES}) i(user_id, category_id, event_id, channel_type)
  where p.organization_id = $1 and p.user_id = i.user_id and coalesce(p.category_id, 0) = coalesce(i.category_id, 0)
    and coalesce(p.event_id, 0) = coalesce(i.event_id, 0) and p.channel_type = i.channel_type`;

/**
 * Sends the open digests of categories whose users choose another frequency: what comes later has a digest of its own time. $1 organization, $2 users,
 * $3 categories.
 */
export const SEND_DIGESTS = `
  update digests g set due_at = now()
  from unnest($2::int[], $3::int[]) i(user_id, category_id), channels c
  where c.organization_id = $1 and g.notification_id = 0 and g.channel_id = c.id and g.user_id = i.user_id and g.key = i.category_id::text
    and g.organization_id = $1 and g.due_at > now()`;

// Statements that read the matrix of one user. Project and application: those that the key is bound to, or null.

/** $1 organization, $2 project, $3 the types whose settings decide which kind of address they need. */
export const CHANNEL_TYPES = `
  select distinct type, case when type = any($3::text[]) then config end config
  from channels where organization_id = $1 and (project_id is null or $2::int is null or project_id = $2) order by 1`;

/**
 * The first address of each kind, which messages use unless a list names another one: why it is suppressed, in the whole organization and in each
 * project that has suppressions. $1 organization, $2 user, $3 project.
 */
export const SUPPRESSED_ADDRESSES = `
  select a.name, p.slug project, array(
    select s.cause::text from suppressions s
    where ${suppresses('s', { organization: '$1', project: 'p.id', addressKind: 'a.name', address: 'a.value' })}
    order by s.cause) causes
  from (select distinct on (name) name, value from addresses where organization_id = $1 and user_id = $2 order by name, id) a
  cross join (
    select null::int id, null slug
    union all
    select id, slug from projects
    where organization_id = $1 and ($3::int is null or id = $3) and exists (select from suppressions x where x.project_id = projects.id)
  ) p`;

/** $1 organization, $2 project, $3 the projects to show, or null: all. */
export const CATEGORIES = `
  select c.id, p.slug project, p.slug || '/' || c.slug path, c.name, c.description, c.default, c.channels, c.frequencies::text[] frequencies
  from projects p join categories c on c.project_id = p.id
  where p.organization_id = $1 and ($2::int is null or p.id = $2) and ($3::int[] is null or p.id = any($3))
  order by p.slug, c.slug`;

/**
 * The projects that have categories, and whether the user is on a list of the project, has chosen about something of it, or was named by a
 * trigger or context of it.
 * $1 organization, $2 user.
 */
export const PROJECTS_OF_USER = `
  select p.id, p.id in (
    select l.project_id from members m join distribution_lists l on l.id = m.list_id where m.user_id = $2
    union all select c.project_id from preferences x join categories c on c.id = x.category_id where x.user_id = $2
    union all select a.project_id from preferences x join events e on e.id = x.event_id join applications a on a.id = e.application_id
              where x.user_id = $2
    union all select a.project_id from (select distinct notification_id from deliveries where user_id = $2 and organization_id = $1) d
              join notifications n on n.id = d.notification_id and n.send_to is not null
              join events e on e.id = n.event_id join applications a on a.id = e.application_id
  ) "isReached"
  from projects p where p.organization_id = $1 and exists (select from categories c where c.project_id = p.id)`;

/** The audiences of the notifications of projects, each once. $1 projects. */
export const AUDIENCES_OF_PROJECTS = `
  select distinct a.project_id "projectId", n.audience
  from applications a join events e on e.application_id = a.id join notifications n on n.event_id = e.id
  where a.project_id = any($1::int[]) and n.audience is not null`;

/** The events that the user has chosen about. $1 organization, $2 user, $3 project, $4 application. */
export const CHOSEN_EVENTS = `
  select e.id, p.slug project, p.slug || '/' || a.slug || '/' || e.slug path, e.name, e.category_id "categoryId"
  from events e join applications a on a.id = e.application_id join projects p on p.id = a.project_id
  where e.id in (select event_id from preferences where organization_id = $1 and user_id = $2)
    and ($3::int is null or p.id = $3) and ($4::int is null or a.id = $4)
  order by 3`;
