/** The user of a link, if the category of the link exists too. $1: organization, $2: user, $3: category, or 0. */
export const FIND_RECIPIENT = `
  select o.name organization, o.slug, o.color, o.logo, o.address, o.links, o.page_texts "pageTexts", o.time_zone "organizationZone", o.quiet_hours "organizationHours", o.locale "organizationLocale",
         u.email, u.time_zone "timeZone", u.quiet_hours "quietHours", u.locale,
         c.name "categoryName", c.description "categoryDescription", c."default" "categoryDefault", c.channels "categoryChannels"
  from users u join organizations o on o.id = u.organization_id
  left join categories c on c.organization_id = o.id and c.id = $3
  where o.id = $1 and u.id = $2 and ($3 = 0 or c.id is not null)`;

/**
 * The categories that concern a user: those of the projects that reach the user (`reachedProjects`), and of the link's project.
 * $1: organization, $2: category of the link, or 0, $3: how many, $4: the projects.
 */
export const LIST_CATEGORIES = `
  select c.id, c.name, c.description, c."default", c.channels, c.frequencies::text[] frequencies, c.digest_at "digestAt", p.name project,
         array(select distinct ch.type from events e
               join notifications n on n.event_id = e.id
               join templates t on t.notification_id = n.id
               join channels ch on ch.id = t.channel_id
               where e.category_id = c.id and t.per = 'person' order by 1) types
  from categories c join projects p on p.id = c.project_id
  where c.organization_id = $1 and (p.id = any($4::int[]) or p.id = (select k.project_id from categories k where k.id = $2))
  order by p.name, p.id, c."default" = 'required', c.name, c.id limit $3`;
