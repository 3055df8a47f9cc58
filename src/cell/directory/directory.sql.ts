/** Only one session at a time changes places, so that their times have the order of their commits. */
export const LOCK_PLACES = 'select pg_advisory_xact_lock(7261017)';

/**
 * The time of a change of a place: after that of every other place, even if the clock was set back. Together with `LOCK_PLACES` it makes
 * "changed after" find every change: a time that can be read has no earlier one that is still to be committed.
 */
const LATER = `greatest(clock_timestamp(), (select max(changed_at) from places) + interval '1 microsecond')`;

/** How long a claim keeps a slug from other cells. Then nobody has created the organization. */
const CLAIM = `interval '1 hour'`;

/** How long copies have to learn of a deletion. */
const GONE = `interval '1 day'`;

// Text keeps the microseconds, which a Date has not.
const COLUMNS = `slug, organization_id "organizationId", cell, state, target, changed_at::text "changedAt"`;

/** $1: slug. */
export const PLACE = `select ${COLUMNS} from places where slug = $1 and state <> 'gone'`;

/** $1: a time, or null for all places. */
export const PLACES_AFTER = `
  select ${COLUMNS} from places where changed_at > coalesce($1::timestamptz, '-infinity') order by places.changed_at`;

/** $1: slug, $2: cell. A cell may claim again what it has claimed before. */
export const CLAIM_PLACE = `
  insert into places (slug, cell, state, changed_at) values ($1, $2, 'claimed', ${LATER})
  on conflict (slug) do update
  set cell = excluded.cell, state = 'claimed', organization_id = null, target = null, changed_at = excluded.changed_at
  where places.state = 'gone'
     or places.state = 'claimed' and (places.cell = excluded.cell or places.changed_at < now() - ${CLAIM})`;

/** $1: slug, $2: organization, $3: cell. A place that the organization has already stays as it is: it may be moving. */
export const SET_CREATED = `
  insert into places (slug, organization_id, cell, state, changed_at) values ($1, $2, $3, 'here', ${LATER})
  on conflict (slug) do update
  set organization_id = excluded.organization_id, cell = excluded.cell, state = 'here', target = null, changed_at = excluded.changed_at
  where places.state = 'gone' or places.state = 'claimed' and places.cell = excluded.cell`;

/** $1: slug, $2: organization, $3: cell. Only the holder of a place may take it: the cell that claimed it, or the organization that moves. */
export const SET_HERE = `
  insert into places (slug, organization_id, cell, state, changed_at) values ($1, $2, $3, 'here', ${LATER})
  on conflict (slug) do update
  set organization_id = excluded.organization_id, cell = excluded.cell, state = 'here', target = null, changed_at = excluded.changed_at
  where places.state = 'gone' or places.cell = excluded.cell and (places.state = 'claimed' or places.organization_id = excluded.organization_id)
     or places.state = 'moving' and places.target = excluded.cell and places.organization_id = excluded.organization_id`;

/** $1: slug, $2: organization, $3: its cell, $4: the cell it moves to. */
export const SET_MOVING = `
  update places set state = 'moving', target = $4, changed_at = ${LATER}
  where slug = $1 and organization_id = $2 and cell = $3 and (state = 'here' or state = 'moving' and target = $4)`;

/** $1: slug, $2: organization, $3: its cell. */
export const SET_GONE = `
  update places set state = 'gone', target = null, changed_at = ${LATER}
  where slug = $1 and organization_id = $2 and cell = $3 and state = 'here'`;

/** Deletes what all copies have heard of, and claims that were not used. */
export const DELETE_OLD_PLACES = `
  delete from places where state = 'gone' and changed_at < now() - ${GONE} or state = 'claimed' and changed_at < now() - ${GONE}`;

export const CELLS = 'select number, url, seen_at "seenAt" from cells order by number';

/** $1: number, $2: URL. */
export const SEE_CELL = `
  insert into cells (number, url, seen_at) values ($1, $2, now())
  on conflict (number) do update set url = excluded.url, seen_at = excluded.seen_at`;
