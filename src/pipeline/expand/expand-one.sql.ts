import { insertDeliverJobs } from '../../queue/deliver-job.js';
import { CHANNELS_OF_RULES, rulesetOf } from '../../ruleset/rule.sql.js';
import { OFF_ABOVE } from '../../ruleset/switch.sql.js';
import { reportUndeliverable } from '../../status-webhook/report.sql.js';

/** The occurrence is still to be expanded. It may have been canceled, held or failed since it was loaded. */
const IS_OPEN = `status in ('pending', 'expanding')`;

/** Loads everything that an expansion needs, and the first switch above the occurrence that is off. */
export const LOAD_OCCURRENCE = `
  select o.id, o.organization_id "organizationId", o.context, o.options, o.status, o.checkpoint, o.decisions, r.rules,
         ${CHANNELS_OF_RULES} channels, ${OFF_ABOVE} off,
         case when o.approved_at is null and o.checkpoint is null then e.max_recipients end ceiling
  from occurrences o
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  left join ${rulesetOf('o.ruleset_id')}
  where o.id = $1`;

/** Ends the expansion of an occurrence that reaches nobody. $2: decisions. */
export const FINISH = `
  update occurrences set status = 'expanded', expanded_at = now(), checkpoint = null, decisions = coalesce(decisions, $2)
  where id = $1 and ${IS_OPEN}`;

/** Holds an occurrence that would reach too many people, until a person approves it. $2: decisions. */
export const HOLD = `
  update occurrences set status = 'held', decisions = coalesce(decisions, $2)
  where id = $1 and ${IS_OPEN}`;

export const FAIL = `
  update occurrences set status = 'failed', problem = $2 where id = any($1::uuid[]) and ${IS_OPEN}`;

/** The users that `limit_to` names. */
export const FIND_USERS = `select id from users where organization_id = $1 and email_key = any($2)`;

/**
 * Creates the deliveries of the next people of one target, the job that sends them and the checkpoint, in one statement and so in one
 * transaction. A crash resumes after the last checkpoint. A chunk that runs twice creates nothing. A canceled occurrence creates
 * nothing more. The first chunk stores the decisions, the last one ends the expansion. `judged`: the table expressions of the people, or of
 * the room.
 *
 * $1 to $7: `PeopleQuery`, $8: occurrence, $9: notification, $10: why the rule failed, $11: number of the target, $12: priority,
 * $13: people before this chunk, $14: decisions, $15: whether it is the last target, $16...: the audience. `failed`: whether $10 is
 * set. Unneeded parts are left out: PostgreSQL plans every CTE of a statement, even unused ones.
 */
export function expandChunk(judged: string, { failed }: { failed: boolean }): string {
  const job = {
    occurrence: '$8::uuid',
    notification: '$9::int',
    channel: '$2::int',
    after: '$5::int',
    last: 'last',
    priority: '$12::text',
  };
  const hasWork = `exists (select from made where status = 'pending')`;
  const isLast = '($15::bool and people < $6)';
  return `
  with ${judged}, made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, status, reason)
    select $8, $1, $9, $2, user_id, address_id, gate,
           (case when gate is not null then 'skipped' when $10::text is not null then 'dead' else 'pending' end)::delivery_status,
           case when gate is null then $10::text end
    from judged
    where exists (select from occurrences where id = $8 and ${IS_OPEN})
    on conflict (occurrence_id, notification_id, channel_id, user_id) do nothing
    returning id, status, attempts
  ), edge as (
    select max(user_id) last, count(*)::int people from people
  ), job as (
    ${insertDeliverJobs(job, '$1', `from edge where ${hasWork}`)}
  ), mark as (
    update occurrences
    set status = (case when ${isLast} then 'expanded' else 'expanding' end)::occurrence_status,
        expanded_at = case when ${isLast} then now() end,
        checkpoint = case when not ${isLast} then
          jsonb_build_object('target', $11::int, 'after', coalesce(last, $5), 'people', $13::int + people) end,
        decisions = coalesce(decisions, $14::jsonb)
    from edge where id = $8 and ${IS_OPEN}
    returning id
  )${failed ? `, ${reportUndeliverable('$8')}` : ''}
  select last, people, exists (select from mark) "isOpen" from edge`;
}
