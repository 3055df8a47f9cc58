/** The open lists of an organization, and whether a user is on them. $1 organization, $2 user, $3 project, or null: all. */
export const OPEN_LISTS = `
  select l.id, p.slug project, p.slug || '/' || l.name list, l.name, l.description,
         exists (select from members m where m.list_id = l.id and m.user_id = $2 and m.active) "on"
  from distribution_lists l join projects p on p.id = l.project_id
  where l.organization_id = $1 and l.open and ($3::int is null or p.id = $3)
  order by p.slug, l.name, l.id`;

/**
 * Joins lists: a member that was switched off gets messages again, and a user who is no member is added with the first e-mail address.
 * The lists cannot be deleted or closed meanwhile. $1 organization, $2 user, $3 lists.
 */
export const JOIN_LISTS = `
  with lists as materialized (
    select id from distribution_lists where organization_id = $1 and id = any($3::int[]) and open order by id for share
  ), back as (
    update members m set active = true from lists l where m.list_id = l.id and m.user_id = $2 and not m.active
  )
  insert into members (organization_id, list_id, user_id, address_id)
  select $1, l.id, $2, a.id
  from lists l join users u on u.id = $2 join addresses a on a.user_id = u.id and a.name = 'email' and a.value = u.email
  where not exists (select from members m where m.list_id = l.id and m.user_id = $2)
  on conflict (list_id, address_id) do nothing`;

/** $1 organization, $2 user, $3 lists. */
export const LEAVE_LISTS = `
  update members m set active = false from distribution_lists l
  where l.organization_id = $1 and l.id = any($3::int[]) and l.open and m.list_id = l.id and m.user_id = $2 and m.active`;
