import { EXPAND_PRIORITY } from '../../queue/priority.js';
import { addDeliverJob, holdDeliverJob, insertExpandJobs, tellOfExpandJobs } from '../../queue/task.js';
import { PERSON } from '../../ruleset/message.sql.js';
import { FIRST_FREE_PARAMETER, judgedPeople } from '../../ruleset/people.sql.js';
import { CHANNELS_OF_RULES } from '../../ruleset/rule.sql.js';
import { OFF_ABOVE } from '../../ruleset/switch.sql.js';
import { reportStillborn } from '../../status-webhook/report.sql.js';
import { PEOPLE_AT_ONCE } from '../deliver/deliver.sql.js';

/** Everything an expansion needs to know of an occurrence, and what above it is switched off. */
export const LOAD_OCCURRENCE = `
  select o.id, o.organization_id "organizationId", o.context, o.options, o.status, o.checkpoint, o.decisions, r.rules,
         ${CHANNELS_OF_RULES} channels, ${OFF_ABOVE} off,
         case when o.approved_at is null and o.checkpoint is null then e.max_recipients end ceiling
  from occurrences o
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  left join rulesets r on r.id = o.ruleset_id
  where o.id = $1`;

/** It reaches nobody. $2 what was decided. */
export const FINISH = `
  update occurrences set status = 'expanded', expanded_at = now(), checkpoint = null, decisions = coalesce(decisions, $2)
  where id = $1 and status in ('pending', 'expanding')`;

/** It would reach too many: nothing is made until a person approves it. $2 what was decided. */
export const HOLD = `
  update occurrences set status = 'held', decisions = coalesce(decisions, $2)
  where id = $1 and status in ('pending', 'expanding')`;

export const FAIL = `
  update occurrences set status = 'failed', problem = $2 where id = any($1::uuid[]) and status in ('pending', 'expanding')`;

/** Each of these occurrences gets a job of its own. */
export const EXPAND_LATER = `
  with jobs as (
    ${insertExpandJobs('json_build_array(o.id)', EXPAND_PRIORITY, 'now()', 'from occurrences o where o.id = any($1::uuid[])')}
  )
  ${tellOfExpandJobs('jobs')}`;

/** The users that `limit_to` names. */
export const FIND_USERS = `select id from users where organization_id = $1 and email_key = any($2)`;

/** The job that is in hand, and its people unless they are many. */
const FRESH = `
         (select id from job) held,
         (select json_agg(fresh order by "userId")
          from (select made.id::text, attempts, "attemptsBefore", "pendingSince", made.user_id "userId", ${PERSON}
                from made join users u on u.id = made.user_id left join addresses a on a.id = made.address_id
                where made.status = 'pending') fresh
          where exists (select from job) and people <= ${PEOPLE_AT_ONCE}) fresh`;

/**
 * The next people of one target: their deliveries, the job that sends them and the checkpoint, in one statement and so in one
 * transaction. A crash resumes after the last checkpoint; a chunk that is made twice makes nothing; a canceled occurrence makes
 * nothing more. The first chunk keeps what was decided, the last ends the expansion.
 *
 * $1 to $7 as `PeopleQuery`, $8 occurrence, $9 notification, $10 why the rule failed, $11 the target's number, $12 priority,
 * $13 how many people there were before, $14 what was decided, $15 whether it is the last target, $16 the worker that has the
 * job in hand; none: the job waits for any. $17... the audience. `failed` is whether $10 is set, `held` whether $16 is: what is not
 * needed is left out, for PostgreSQL makes everything of a statement ready, also what then has nothing to do.
 */
export function expandChunk(audience: string | null, { failed, held }: { failed: boolean; held: boolean }): string {
  const job = {
    occurrence: '$8::uuid',
    notification: '$9::int',
    channel: '$2::int',
    after: '$5::int',
    last: 'last',
    template: 'null::int',
    lot: 'null::bigint',
    priority: '$12::text',
  };
  const hasWork = `exists (select from made where status = 'pending')`;
  const isLast = '($15::bool and people < $6)';
  return `
  with ${judgedPeople(audience)}, made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, status, reason)
    select $8, $1, $9, $2, user_id, address_id, gate,
           (case when gate is not null then 'skipped' when $10::text is not null then 'dead' else 'pending' end)::delivery_status,
           case when gate is null then $10::text end
    from judged
    where exists (select from occurrences where id = $8 and status in ('pending', 'expanding'))
    on conflict (occurrence_id, notification_id, channel_id, user_id) do nothing
    returning id, user_id, address_id, status, attempts, attempts_before "attemptsBefore", pending_since "pendingSince"
  ), edge as (
    select max(user_id) last, count(*)::int people from people
  ), job as (
    ${held ? holdDeliverJob(job, '$16::text', 'edge', hasWork) : `select ${addDeliverJob(job)} from edge where $16::text is null and ${hasWork}`}
  ), mark as (
    update occurrences
    set status = (case when ${isLast} then 'expanded' else 'expanding' end)::occurrence_status,
        expanded_at = case when ${isLast} then now() end,
        checkpoint = case when not ${isLast} then
          jsonb_build_object('target', $11::int, 'after', coalesce(last, $5), 'people', $13::int + people) end,
        decisions = coalesce(decisions, $14::jsonb)
    from edge where id = $8 and status in ('pending', 'expanding')
    returning id
  )${failed ? `, ${reportStillborn('$8')}` : ''}
  select last, people, (select count(*) from job)::int jobs, exists (select from mark) going${held ? `, ${FRESH}` : ''}
         ${failed ? ', (select count(*) from report_jobs)::int reports' : ''}
  from edge`;
}

export const FIRST_AUDIENCE_PARAMETER = FIRST_FREE_PARAMETER + 9;
