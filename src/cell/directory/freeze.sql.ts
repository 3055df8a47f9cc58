/** First key of the advisory lock of an organization; the second is its id. A write that must not slip past a freeze holds it shared. */
const FREEZE_LOCK = 7_261_018;

/** For the time of a session. Does not wait: false if somebody waits until the organization is quiet. $1: organization. */
export const HOLD_AGAINST_FREEZE = `select pg_try_advisory_lock_shared(${FREEZE_LOCK}, $1) held`;

/** $1: organization. */
export const LET_GO = `select pg_advisory_unlock_shared(${FREEZE_LOCK}, $1)`;

/** $1: organization. Waits until no transaction holds the shared lock: each later one sees the freeze. */
export const WAIT_FOR_WRITES = `select pg_advisory_xact_lock(${FREEZE_LOCK}, $1)`;

/** $1: organization. */
export const IS_FROZEN = 'select exists (select from organization_freezes where organization_id = $1) frozen';

/** $1: slug. Also of an organization that has moved away, until its rows are deleted. */
export const IS_SLUG_FROZEN = `
  select exists (select from organizations o join organization_freezes f on f.organization_id = o.id where o.slug = $1) frozen`;

/** $1: organization. */
export const FREEZE = 'insert into organization_freezes (organization_id) values ($1) on conflict do nothing';

/** $1: organization. */
export const THAW = 'delete from organization_freezes where organization_id = $1';
