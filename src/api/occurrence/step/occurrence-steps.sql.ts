import { Prisma } from '../../../platform/database/generated/prisma/client.js';
import { Task } from '../../../platform/queue/task.js';
import { resolutionsOf } from '../../../rules/thread/resolution.sql.js';

/** Waiting jobs of an organization among which those of the next steps are looked for. */
const MAX_JOBS = 10_000;

/** Acknowledgements of an occurrence among which one that counts is looked for. */
const MAX_ACKNOWLEDGEMENTS = 20;

/** An occurrence under a name that no statement inside has. `occurrence`: the name that it has outside. */
const subjectOf = (occurrence: string) => `
  (select ${['id', 'event_id', 'ruleset_id', 'status', 'context', 'options', 'decisions', 'open_steps'].map((column) => `${occurrence}.${column}`).join(', ')}) subject`;

const ASKS = `v.rule->'steps' @> '[{"unless":"acknowledged"}]'`;

/** The notifications of a subject that apply and have steps, as they were when it was triggered, and the value of their threads. */
const FOLLOWED = `
  select v.rule, ${ASKS} asks, v.rule->>'thread' field, nullif(subject.context #>> string_to_array(v.rule->>'thread', '.'), '') value,
         (v.rule->'acknowledge'->>'for')::interval lapses_after
  from rulesets s join rule_versions v on v.id = any(s.versions)
  where s.id = subject.ruleset_id and jsonb_exists(v.rule, 'steps')
    and subject.decisions @> jsonb_build_array(jsonb_build_object('notification', v.rule->'id', 'verdict', 'matched'))`;

/** The first trigger that ended the steps of a followed notification. */
const RESOLVED = `
  select r.occurrence_id occurrence, r.at
  from ${resolutionsOf({ occurrence: 'subject.id', value: `encode(sha256(convert_to(f.value, 'UTF8')), 'hex')`, field: 'f.field' })}
    and f.value is not null
  order by r.at, r.occurrence_id limit 1`;

/** Whether an acknowledgement `a` has not lapsed for a followed notification. */
const COUNTS = `(a.at + f.lapses_after > now()) is not false`;

/** Whether an event says when something of this kind is over. */
const IS_TOLD_WHEN_OVER = `exists (
  select from events e join events x on x.application_id = e.application_id and x.resolves_event = e.slug where e.id = subject.event_id)`;

/** Whether a followed notification still needs somebody. `isResolved`: SQL for whether a trigger has ended its steps. */
const needsSomebody = (isResolved: string) => `
  f.asks and not ${isResolved} and (
    f.value is not null and ${IS_TOLD_WHEN_OVER}
    or not exists (select from acknowledgements a where a.occurrence_id = subject.id and ${COUNTS}))`;

const IS_ALIVE = `subject.status not in ('canceled', 'failed') and coalesce((subject.options->>'expires_at')::timestamptz > now(), true)`;

/** Whether an occurrence `occurrence` is open. */
export const isOpen = (occurrence: string) =>
  Prisma.raw(`(${occurrence}.decisions is not null and exists (
    select from ${subjectOf(occurrence)} cross join lateral (${FOLLOWED}) f
    where ${IS_ALIVE} and ${needsSomebody(`exists (${RESOLVED})`)}))`);

/** Those of `events` that have, or had as long as there are occurrences of it, a notification that asks for an acknowledgement. */
export const askingEvents = (events: Prisma.Sql) => Prisma.sql`
  select distinct v.event_id id from rule_versions v where v.event_id = any(array(${events})) and ${Prisma.raw(ASKS)}`;

/** A CTE: when the next step of an occurrence is due. It is read only if an occurrence has open steps. */
export const nextStepTimes = (organizationId: number) => Prisma.sql`
  next_steps as materialized (
    select (payload->>'occurrence')::uuid occurrence, min(run_at) at
    from (select run_at, task, payload from jobs where organization_id = ${organizationId} and state = 'scheduled' limit ${MAX_JOBS}) j
    where task = ${Task.Step} group by 1)`;

/** SQL for `OccurrenceStepsRow` of an occurrence as JSON; null: no notification of it that applies has steps. It needs `nextStepTimes`. */
export const stepsOfOccurrence = (occurrence: string) =>
  Prisma.raw(`(
    select case when count(f.rule) > 0 then json_build_object(
      'open', bool_or(${IS_ALIVE} and ${needsSomebody('(r.at is not null)')}),
      'nextAt', case when ${occurrence}.open_steps is not null then (select n.at from next_steps n where n.occurrence = ${occurrence}.id) end,
      'resolution', (array_agg(json_build_object('occurrence', r.occurrence, 'at', r.at, 'event', (
        select e.slug from occurrences x join events e on e.id = x.event_id where x.id = r.occurrence)) order by r.at) filter (where r.at is not null))[1],
      'acknowledgement', (
        select json_build_object('user', u.email, 'at', a.at, 'way', a.way, 'step', a.step, 'note', a.note)
        from (select * from acknowledgements where occurrence_id = ${occurrence}.id order by id limit ${MAX_ACKNOWLEDGEMENTS}) a
        join users u on u.id = a.user_id
        where (a.at + case when bool_and(f.lapses_after is not null) then max(f.lapses_after) end > now()) is not false
        order by a.id limit 1)) end
    from ${subjectOf(occurrence)} cross join lateral (${FOLLOWED}) f left join lateral (${RESOLVED}) r on true
    where ${occurrence}.decisions is not null) steps`);
