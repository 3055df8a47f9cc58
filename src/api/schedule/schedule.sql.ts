import { OFF_ABOVE } from '../../rules/ruleset/switch.sql.js';

/** A slot `r` that is still to come. */
const IS_PLANNED = 'r.occurrence_id is null and r.skipped is null';

/** The schedule `s` of a slot `r`, unless it was changed or paused after the slot was planned. */
const SCHEDULE_OF_SLOT =
  'schedules s on s.event_id = r.event_id and s.enabled and s.cron = r.cron and s.time_zone = r.time_zone';

/** How many runs of an event are kept. */
const KEPT_RUNS = 1000;

/**
 * Slots that have come, of all organizations in turn. A schedule of an organization that is being moved waits. A change of a schedule while a slot is
 * run can leave a slot of the old one behind: it is not looked at, and the next run forgets it. $1: how many.
 */
export const LOAD_DUE = `
  select r.event_id "eventId", r.slot, s.cron, s.time_zone "timeZone", s.context, s.options, now() "now", r.organization_id "organizationId",
         g.slug organization, p.id "projectId", p.slug project, a.id "applicationId", a.slug application, e.slug event, e.resolves_event "resolvesEvent",
         g.quotas, coalesce(u.stored_bytes, 0)::float8 "storedBytes", ${OFF_ABOVE} off
  from schedule_runs r
  join ${SCHEDULE_OF_SLOT}
  join events e on e.id = r.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = r.organization_id
  left join organization_usage u on u.organization_id = g.id
  where ${IS_PLANNED} and r.slot <= now()
    and not exists (select from organization_freezes f where f.organization_id = r.organization_id)
  order by row_number() over (partition by r.organization_id order by r.slot), r.slot limit $1`;

/** Locks a slot that is still to come. No row: another process runs it, or has run it, or the schedule was changed. $1: event, $2: slot. */
export const CLAIM_SLOT = `
  select r.cron from schedule_runs r join ${SCHEDULE_OF_SLOT}
  where r.event_id = $1 and r.slot = $2::timestamptz and ${IS_PLANNED} for update of r skip locked`;

/** Forgets the slots of an event that are still to come. $1: event. */
export const FORGET_PLANNED = `delete from schedule_runs r where r.event_id = $1 and ${IS_PLANNED}`;

/**
 * Adds slots. One that exists is left as it was: a slot is run once. $1: organization, $2: event, $3: cron, $4: time zone, $5: slots, $6:
 * occurrences, $7: why there is none.
 */
export const ADD_RUNS = `
  insert into schedule_runs (organization_id, event_id, cron, time_zone, slot, occurrence_id, skipped)
  select $1::int, $2::int, $3::text, $4::text, x.slot, x.occurrence, x.skipped from unnest($5::timestamptz[], $6::uuid[], $7::text[]) x(slot, occurrence, skipped)
  on conflict (event_id, slot) do nothing`;

/** $1: event. */
export const FORGET_OLD_RUNS = `
  delete from schedule_runs where event_id = $1
    and slot < (select slot from schedule_runs where event_id = $1 order by slot desc offset ${KEPT_RUNS} limit 1)`;
