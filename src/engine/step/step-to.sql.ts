import { LOT, insertDeliverJobs } from '../../platform/queue/deliver-job.js';
import { evidenceOf } from '../../rules/ruleset/evidence.sql.js';
import type { Evidence } from '../../rules/ruleset/rule.js';
import { judgedUsers } from '../../rules/ruleset/users.sql.js';
import type { UserQueryText } from '../../rules/ruleset/users.sql.js';
import { fates } from '../digest/gather.sql.js';
import { LAST_ATTEMPT, PROVEN, USED, inboxFor, messagesOf } from './step.sql.js';

/** Milliseconds since 1970. */
const ms = (time: string) => `extract(epoch from ${time})::float8 * 1000`;

/**
 * What is known of the messages of the next users of the steps before one with its own users: whether one of them has the evidence, and when those of
 * each step were sent, or it was decided that they are not. A step that is repeated ends with its last time. Every table is read by its index.
 *
 * $1: occurrence, $2: notification, $3: after this user, $4: how many, $5: channels of all steps, $6: channels of this and later steps,
 * $7: channels that are repeated, as JSON.
 */
export const surveySteps = (unless: Evidence | null) => `
  with ${USED}, chunk as materialized (
    select user_id from used, lateral (
      select user_id from deliveries
      where occurrence_id = $1 and notification_id = $2 and channel_id = used.channel and user_id > $3::int order by user_id limit $4::int
    ) d
    group by user_id order by user_id limit $4
  ), edge as materialized (
    select max(user_id) last, count(*)::int users from chunk
  ), ${messagesOf({ after: '$3', all: '$5' })}, known as materialized (
    select r.origin, bool_or(${unless === null ? 'false' : PROVEN[unless]}) proven,
           min(coalesce(t.at, r.pending_since) + rest.time) filter (where r.status = 'sent') sent,
           min(greatest(r.next_attempt_at, now())) filter (where r.status = 'pending') next,
           max(greatest(t.at, r.pending_since) + case when r.status = 'dead' then rest.time else '0' end) filter (where r.status in ('skipped', 'dead')) decided
    from message r
    left join jsonb_to_recordset($7::jsonb) again(channel int, times int, every int) on again.channel = r.origin
    cross join lateral (select coalesce(greatest(again.times - r.repetition, 0) * again.every, 0) * interval '1 second' time) rest
    ${LAST_ATTEMPT}${inboxFor(unless)}
    where r.origin is not null and r.origin <> all($6::int[])
    group by r.origin
  )
  select last, users, coalesce((select bool_or(proven) from known), false) "isProven",
         coalesce((select jsonb_object_agg(origin, jsonb_build_object('sent', ${ms('sent')}, 'next', ${ms('next')}, 'decided', ${ms('decided')})) from known), '{}') channels
  from edge`;

/** The last acknowledgement of an occurrence that has not lapsed, in milliseconds since 1970. $1: occurrence, $2: seconds until it lapses; null: it never does. */
export const LAST_ACKNOWLEDGED = `
  select ${ms('max(at)')} "lastAt" from acknowledgements
  where occurrence_id = $1 and ($2::int is null or at + $2 * interval '1 second' > now()) having count(*) > 0`;

const HELD = `($12::bool and exists (
      select from acknowledgements where occurrence_id = $9 and ($13::int is null or at + $13 * interval '1 second' > now())))`;

/** Also in the middle of a step, an acknowledgement that is stored before a message is created prevents it. */
const OURS = `exists (select from occurrences where id = $9 and status = 'expanded') and not ${HELD}`;

/** When the first of the deliveries is due that were made. */
const FIRST_DUE = `(select min(coalesce(next_attempt_at, now())) from made where status = 'pending')`;

const EVIDENCE = evidenceOf('j.gate', {
  organization: '$1',
  user: 'j.user_id',
  address: 'j.address_id',
  choices: '$8::jsonb',
});

const JOB = {
  ...{ occurrence: '$9::uuid', notification: '$10::int', channel: '$2::int', after: '$5::int', last: 'last' },
  ...{ lot: LOT, priority: '$11::text' },
};

/**
 * Creates the deliveries of the next users of a step with its own users, over one channel, and their deliver job, as an expansion does. Those who have
 * got the message in place of another get no second one. $1 to $8: `UserQuery`, $9: occurrence, $10: notification, $11: priority, $12: whether an acknowledgement prevents
 * it, $13: seconds until one lapses, or null; then the audience.
 */
export const tellUsers: UserQueryText = (audience, variant) => {
  const { choose } = variant;
  const targeted = `, targeted as (
    select $9::uuid occurrence, $1::int organization, $10::int notification, $2::int channel, j.* from judged j
  ), ${fates({ table: 'targeted', ours: OURS }, { gather: false })}`;
  return `
  with ${judgedUsers(audience, variant)}${choose ? targeted : ''}, made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, lot, status${choose ? ', next_attempt_at, waits_until, waits_for, pending_since, evidence' : ''})
    select $9, $1, $10, $2, j.user_id, j.address_id, j.gate, ${LOT},
           (case when j.gate is null then 'pending' else 'skipped' end)::delivery_status${choose ? `, until, free_at, waits_for, coalesce(free_at, now()), ${EVIDENCE}` : ''}
    from ${choose ? 'fated' : 'judged'} j where ${OURS}
    on conflict (occurrence_id, notification_id, channel_id, user_id) do nothing
    returning id, status, next_attempt_at
  ), edge as (
    select max(user_id) last, count(*)::int users from recipients
  ), job as (
    ${insertDeliverJobs(JOB, '$1', `from edge where exists (select from made where status = 'pending')`, FIRST_DUE)}
  )
  select last, users from edge`;
};
