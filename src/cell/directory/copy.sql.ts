const COLUMNS = 'slug, organization_id, cell, state, target, changed_at';

/** $1: places as JSON. A copy that is newer stays: another process of the cell has written it. */
export const COPY_PLACES = `
  insert into places (${COLUMNS})
  select slug, "organizationId", cell, state, target, "changedAt"
  from json_to_recordset($1) p(slug text, "organizationId" int, cell int, state text, target int, "changedAt" timestamptz)
  order by slug
  on conflict (slug) do update
  set organization_id = excluded.organization_id, cell = excluded.cell, state = excluded.state, target = excluded.target,
      changed_at = excluded.changed_at
  where excluded.changed_at > places.changed_at`;

/** Deletes copies of places that the directory has no more. $1: the slugs of all its places, $2: the time of the newest. */
export const DELETE_COPIES = 'delete from places where changed_at <= $2::timestamptz and slug <> all($1::text[])';

/** $1: cells as JSON. */
export const COPY_CELLS = `
  insert into cells (number, url, seen_at)
  select number, url, "seenAt" from json_to_recordset($1) c(number int, url text, "seenAt" timestamptz) order by number
  on conflict (number) do update set url = excluded.url, seen_at = excluded.seen_at
  where excluded.seen_at > cells.seen_at`;

export const FROZEN = 'select organization_id id from organization_freezes';

export const OWN_ORGANIZATIONS = 'select id, slug from organizations';

export const ID_ORDERS = 'select organization_id "organizationId", spans from id_orders';
