import { REPLACE_CHOICE } from '../preference/preference.sql.js';

/** The user of a link, if the category of the link exists too. $1: organization, $2: user, $3: category, or 0. */
export const FIND_RECIPIENT = `
  select o.name organization, o.color, o.time_zone "organizationZone", o.quiet_hours "organizationHours",
         u.email, u.time_zone "timeZone", u.quiet_hours "quietHours",
         c.name "categoryName", c.description "categoryDescription", c."default" = 'required' "isRequired",
         (select p.chosen_by from preferences p
          where p.user_id = u.id and p.category_id = c.id and p.channel_type = 'email' and not p.is_on) "offBy"
  from users u join organizations o on o.id = u.organization_id
  left join categories c on c.organization_id = o.id and c.id = $3
  where o.id = $1 and u.id = $2 and ($3 = 0 or c.id is not null)`;

/** Changes only what differs, so that the audit log shows nothing else. */
const REPLACE = `
  ${REPLACE_CHOICE}
  where preferences.is_on <> excluded.is_on`;

/**
 * Stores a choice about a category. A choice about one of its events is more specific and would win: those that say the opposite are
 * changed too. $1: organization, $2: user, $3: category, $4: channel type, or empty: all, $5: on or off, $6: by whom.
 */
export const CHOOSE_CATEGORY = `
  with events_too as (
    insert into preferences (organization_id, user_id, event_id, channel_type, is_on, chosen_by)
    select distinct p.organization_id, p.user_id, p.event_id, coalesce(nullif($4, ''), p.channel_type), $5::bool, $6::chosen_by
    from preferences p join events e on e.id = p.event_id
    where p.organization_id = $1 and p.user_id = $2 and e.category_id = $3 and p.is_on <> $5 and ($4 = '' or p.channel_type in ('', $4))
    ${REPLACE}
  )
  insert into preferences (organization_id, user_id, category_id, channel_type, is_on, chosen_by)
  values ($1, $2, $3, $4, $5, $6::chosen_by) ${REPLACE}`;

/** Stores a choice about everything over a channel type. $1: organization, $2: user, $3: channel type, $4: on or off. */
export const CHOOSE_CHANNEL_TYPE = `
  insert into preferences (organization_id, user_id, channel_type, is_on, chosen_by) values ($1, $2, $3, $4, 'person') ${REPLACE}`;

/**
 * Takes back what the link has switched off: the choice is deleted. If mail of the category would be off without it, it is switched on
 * instead. $1: organization, $2: user, $3: category.
 */
export const UNDO = `
  with ours as (
    select p.id, p.event_id,
           coalesce((select w.is_on from preferences w where w.user_id = p.user_id and w.category_id = c.id and w.channel_type = ''),
                    coalesce(c.channels->>'email', c."default"::text) <> 'off') on_without
    from preferences p left join events e on e.id = p.event_id join categories c on c.id = coalesce(p.category_id, e.category_id)
    where p.organization_id = $1 and p.user_id = $2 and c.id = $3 and p.channel_type = 'email' and p.chosen_by = 'link' and not p.is_on
  ), switched_on as (
    update preferences p set is_on = true, chosen_at = now() from ours where p.id = ours.id and ours.event_id is null and not on_without
  )
  delete from preferences p using ours where p.id = ours.id and (ours.event_id is not null or on_without)`;

/**
 * The categories that concern a user: those of the projects that reach the user (`reachedProjects`), and of the link's project.
 * $1: organization, $2: user, $3: category of the link, or 0, $4: how many, $5: the projects.
 */
export const LIST_CATEGORIES = `
  select c.id, c.name, c.description, c."default", c.channels, p.name project,
         array(select distinct ch.type from events e
               join notifications n on n.event_id = e.id
               join templates t on t.notification_id = n.id
               join channels ch on ch.id = t.channel_id
               where e.category_id = c.id and t.per = 'person' order by 1) types,
         coalesce((select json_object_agg(x.channel_type, x.is_on) from preferences x
                   where x.user_id = $2 and x.category_id = c.id), '{}') choices
  from categories c join projects p on p.id = c.project_id
  where c.organization_id = $1 and (p.id = any($5::int[]) or p.id = (select k.project_id from categories k where k.id = $3))
  order by p.name, p.id, c."default" = 'required', c.name, c.id limit $4`;

/** The user's switches of whole channel types. $1: user. */
export const LIST_SWITCHES = `
  select channel_type "type", is_on "isOn" from preferences where user_id = $1 and category_id is null and event_id is null`;
