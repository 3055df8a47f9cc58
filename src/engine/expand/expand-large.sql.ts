import { insertDeliverJobs } from '../../platform/queue/deliver-job.js';
import type { Variant } from '../../rules/ruleset/choices.js';
import { RECIPIENTS } from '../../rules/ruleset/choices.sql.js';
import { evidenceOf } from '../../rules/ruleset/evidence.sql.js';
import { CHANNELS_OF_RULES, rulesetOf } from '../../rules/ruleset/rule.sql.js';
import { OFF_ABOVE } from '../../rules/ruleset/switch.sql.js';
import { reportUndeliverable } from '../report/report.sql.js';
import { FATE, FATE_COLUMNS, fates } from '../digest/gather.sql.js';
import { insertStepJobs, openSteps } from '../step/step.sql.js';

/** The occurrence is still to be expanded. It may have been canceled, held or failed since it was loaded. */
const IS_OPEN = `status in ('pending', 'expanding')`;

/** Loads everything that an expansion needs, and the first switch above the occurrence that is off. */
export const LOAD_OCCURRENCE = `
  select o.id, o.organization_id "organizationId", o.event_id "eventId", o.context, o.options, o.status, o.checkpoint, o.decisions, r.rules,
         ${CHANNELS_OF_RULES} channels, ${OFF_ABOVE} off, ${RECIPIENTS},
         case when o.approved_at is null and o.checkpoint is null then e.max_recipients end ceiling
  from occurrences o
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = o.organization_id
  left join ${rulesetOf('o.ruleset_id')}
  where o.id = $1`;

/** Ends the expansion of an occurrence that reaches nobody. $2: decisions. */
export const FINISH = `
  update occurrences set status = 'expanded', expanded_at = now(), checkpoint = null, decisions = coalesce(decisions, $2)
  where id = $1 and ${IS_OPEN}`;

/** Holds an occurrence that would reach too many users, until somebody approves it. $2: decisions. */
export const HOLD = `
  update occurrences set status = 'held', held_at = now(), decisions = coalesce(decisions, $2)
  where id = $1 and ${IS_OPEN}`;

export const FAIL = `
  update occurrences set status = 'failed', problem = $2 where id = any($1::uuid[]) and ${IS_OPEN}`;

/** Users by the keys of their names. $1: organization, $2: keys. */
export const FIND_USERS = `select id, email_key key from users where organization_id = $1 and email_key = any($2)`;

/** When the first of the deliveries is due that were made. */
const FIRST_DUE = `(select min(coalesce(next_attempt_at, now())) from made where status = 'pending' and digest_id is null)`;

/** The users of the target, as `fates` wants them. */
const TARGETED = {
  table: 'targeted',
  ours: `exists (select from occurrences where id = $9 and ${IS_OPEN})`,
};

const EVIDENCE = evidenceOf('fated.gate', {
  organization: '$1',
  user: 'fated.user_id',
  address: 'fated.address_id',
  choices: '$8::jsonb',
});

/**
 * Creates the deliveries of the next users of one target, the job that sends them and the checkpoint, in one statement and so in one
 * transaction. A crash resumes after the last checkpoint. A chunk that runs twice creates nothing. A canceled occurrence creates
 * nothing more. The first chunk stores the decisions, the last one ends the expansion. `judged`: the table expressions of the users, or of
 * the room.
 *
 * $1 to $8: `UserQuery`, $9: occurrence, $10: notification, $11: why the rule failed, $12: number of the target, $13: priority,
 * $14: users before this chunk, $15: decisions, $16: whether it is the last target, with `steps` $17: the notifications with more steps, then the audience. `failed`: whether $11 is
 * set. Unneeded parts are left out: PostgreSQL plans every CTE of a statement, even unused ones.
 */
export function expandChunk(
  judged: string,
  { failed, steps, choose, gather }: Variant & { failed: boolean; steps?: boolean },
): string {
  const job = {
    occurrence: '$9::uuid',
    notification: '$10::int',
    channel: '$2::int',
    after: '$5::int',
    last: 'last',
    priority: '$13::text',
  };
  const hasWork = `exists (select from made where status = 'pending'${choose ? ' and digest_id is null' : ''})`;
  const isLast = '($16::bool and users < $6)';
  return `
  with ${judged}${
    choose
      ? `, targeted as (
    select $9::uuid occurrence, $1::int organization, $10::int notification, $2::int channel, j.* from judged j
  ), ${fates(TARGETED, { gather })}`
      : ''
  }, made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate${choose ? `, ${FATE_COLUMNS}, evidence` : ''}, status, reason)
    select $9, $1, $10, $2, user_id, address_id, gate,${choose ? `${FATE}, ${EVIDENCE},` : ''}
           (case when gate is not null then 'skipped' when $11::text is not null then 'dead' else 'pending' end)::delivery_status,
           case when gate is null then $11::text end
    from ${choose ? 'fated' : 'judged'}
    where ${TARGETED.ours}
    on conflict (occurrence_id, notification_id, channel_id, user_id) do nothing
    returning id, status, attempts${choose ? ', next_attempt_at, digest_id' : ''}
  ), edge as (
    select max(user_id) last, count(*)::int users from recipients
  ), job as (
    ${insertDeliverJobs(job, '$1', `from edge where ${hasWork}`, choose ? FIRST_DUE : undefined)}
  ), mark as (
    update occurrences
    set status = (case when ${isLast} then 'expanded' else 'expanding' end)::occurrence_status,
        expanded_at = case when ${isLast} then now() end,
        checkpoint = case when not ${isLast} then
          jsonb_build_object('target', $12::int, 'after', coalesce(last, $5), 'people', $14::int + users) end,
        decisions = coalesce(decisions, $15::jsonb)${steps ? `, open_steps = case when ${isLast} then ${openSteps('$17::jsonb')} end` : ''}
    from edge where id = $9 and ${IS_OPEN}
    returning id${steps ? ', status, organization_id, options' : ''}
  )${steps ? `, step_jobs as (${insertStepJobs(`from (select * from mark where status = 'expanded') o`, '$17::jsonb')})` : ''}${failed ? `, ${reportUndeliverable('$9')}` : ''}
  select last, users, exists (select from mark) "isOpen" from edge`;
}
