import { JOB_OF_GROUP, LOT, insertDeliverJobs } from '../../platform/queue/deliver-job.js';
import { insertJobs } from '../../platform/queue/job.sql.js';
import { jobPrioritySql } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';
import { CHOICE_COLUMNS } from '../../rules/ruleset/choices.js';
import type { Variant } from '../../rules/ruleset/choices.js';
import { CLOCK, RECIPIENTS } from '../../rules/ruleset/choices.sql.js';
import { evidenceOf } from '../../rules/ruleset/evidence.sql.js';
import type { Evidence } from '../../rules/ruleset/rule.js';
import { CHANNELS_OF_RULES, rulesetOf } from '../../rules/ruleset/rule.sql.js';
import { OFF_ABOVE } from '../../rules/ruleset/switch.sql.js';
import { resolutionsOf } from '../../rules/thread/resolution.sql.js';
import { gate, judgedFrom } from '../../rules/ruleset/users.sql.js';
import { fates } from '../digest/gather.sql.js';

/** So long after it is due, a first pass finds the first step's messages sent, and needs no second one for them. */
const GRACE_SECONDS = 1;

/** The notifications of `NextSteps` as an array. */
export const openSteps = (steps: string) =>
  `(select array_agg((s->>'notification')::int) from jsonb_array_elements(${steps}) s)`;

/** A statement that inserts the job of the later steps of each notification of occurrences `o`. `steps`: SQL for `NextSteps` as JSON. */
export const insertStepJobs = (from: string, steps: string) =>
  insertJobs(
    {
      task: Task.Step,
      organization: 'o.organization_id',
      lane: `'steps'`,
      priority: jobPrioritySql(`coalesce(o.options->>'priority', 'normal')`),
      payload: `jsonb_build_object('occurrence', o.id, 'notification', s.notification)`,
      runAt: `now() + (s.wait + ${GRACE_SECONDS}) * interval '1 second'`,
    },
    `${from} cross join lateral jsonb_to_recordset(${steps}) s(notification int, wait int)`,
  );

/** What all steps of a notification share, and the first switch that is off. $1: occurrence, $2: notification. */
export const LOAD_STEPS = `
  select o.id, o.organization_id "organizationId", o.event_id "eventId", o.status, coalesce(o.expanded_at, o.created_at) "expandedAt",
         o.context, o.options, o.decisions, r.rules,
         ${CHANNELS_OF_RULES} channels, ${RECIPIENTS},
         coalesce(${OFF_ABOVE}, case when not n.enabled then json_build_array('notification', n.id) end) off
  from occurrences o
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = o.organization_id
  left join notifications n on n.id = $2 and n.organization_id = o.organization_id
  left join ${rulesetOf('o.ruleset_id')}
  where o.id = $1`;

/** The steps of a notification are over. $1: occurrence, $2: notification. */
export const END_STEPS = `
  update occurrences set open_steps = nullif(array_remove(open_steps, $2::int), '{}') where id = $1 and $2 = any(open_steps)`;

/** The channels over which a notification has deliveries, in fallbacks too. $1: occurrence, $2: notification. */
export const USED = `used as materialized (
    with recursive walk(channel) as (
      (select channel_id from deliveries where occurrence_id = $1 and notification_id = $2 order by channel_id limit 1)
      union all
      select (select channel_id from deliveries where occurrence_id = $1 and notification_id = $2 and channel_id > w.channel order by channel_id limit 1)
      from walk w where w.channel is not null
    ) select channel from walk
  )`;

/**
 * The messages `message` of the users up to `edge.last`, each with the channel of its step: that of a fallback without a step is the one whose place
 * it takes. `after`: the user before them. `all`: the channels of all steps.
 */
export const messagesOf = ({ after, all }: { after: string; all: string }) => `message as materialized (
    select d.*, case when fallback_of is null or channel_id = any(${all}::int[]) then channel_id else (
      with recursive up as (
        select channel_id, fallback_of from deliveries where id = d.fallback_of
        union all
        select b.channel_id, b.fallback_of from up join deliveries b on b.id = up.fallback_of
      ) select channel_id from up where channel_id = any(${all}) limit 1) end origin
    from used cross join edge cross join lateral (
      select id, user_id, channel_id, status, gate, report, fallback_of, pending_since, next_attempt_at, repetition from deliveries
      where occurrence_id = $1 and notification_id = $2 and channel_id = used.channel and user_id > ${after} and user_id <= edge.last offset 0
    ) d
  )`;

/** The time `t.at` of the last attempt of a message `r`. */
export const LAST_ATTEMPT = `left join lateral (select at from attempts where delivery_id = r.id order by number desc limit 1) t on true`;

/** Whether a message `r`, in the inbox as `i`, has at least this evidence. A report raised by a machine is stored as `delivered`. */
export const PROVEN: Record<Evidence, string> = {
  // A repeated message that is not sent this time was sent before.
  sent: `r.status = 'sent' or r.repetition > 0 and exists (select from attempts where delivery_id = r.id and outcome = 'sent')`,
  delivered: `r.report in ('delivered', 'seen', 'complained') or i.id is not null`,
  seen: `r.report in ('seen', 'complained') or i.seen_at is not null`,
  read: `i.read_at is not null`,
  acknowledged: 'false',
};

/**
 * The last acknowledgement that counts for a user `k`: of anyone, unless each needs their own. It proves every evidence, until it lapses: never, if
 * `lapse` is null.
 */
const heldFrom = ({ each }: Pick<StepVariant, 'each'>, lapse: string) => `
    left join lateral (
      select coalesce(max(at) + ${lapse}::int * interval '1 second', 'infinity') ends_at
      from acknowledgements where occurrence_id = $1${each ? ' and user_id = k.user_id' : ''} having count(*) > 0
    ) held on true`;

/** What the inbox knows of a message `r`, if the evidence needs it. */
export const inboxFor = (unless: Evidence | null) =>
  unless === null || unless === 'sent' || unless === 'acknowledged' ? '' : INBOX;

const INBOX = `
    left join lateral (select id, seen_at, read_at from inbox_messages where delivery_id = r.id and (r.status = 'sent' or r.repetition > 0) offset 0) i on true`;

const TARGET = { organization: '$3', channel: 't.channel', addressKind: 't.address_kind', lists: 't.lists' };

const OURS = `exists (select from occurrences where id = $1 and status = 'expanded')`;

/** A user whom a list reaches over other channels only is not reached over this one. */
const ELSEWHERE = `exists (select from members where list_id = any(t.lists) and user_id = d.user_id)
             and not exists (select from members where list_id = any(t.lists) and user_id = d.user_id and (channel_id is null or channel_id = t.channel))`;

const JUDGED = { table: 'judged', ours: OURS };

const EVIDENCE = evidenceOf('j.gate', {
  organization: '$3',
  user: 'j.user_id',
  address: 'j.address_id',
  choices: `(select to_jsonb(t) from target t where t.channel = j.channel)`,
});

const RESOLVED = `exists (select from ${resolutionsOf({ occurrence: '$1::uuid', value: '$13::text', field: '$14::text' })})`;

interface StepVariant extends Pick<Variant, 'choose'> {
  unless: Evidence | null;
  /** Whether only their own acknowledgement counts for a user. */
  each: boolean;
  /** Whether it is taken again: the deliveries that it made are sent once more. */
  again: boolean;
  /** Whether the steps have a thread, which a later trigger may have ended. */
  thread?: boolean;
}

/**
 * The next repetition of a delivery: it is judged anew, and pending again as after a retry by hand. One that is still pending from the time before
 * is left out, and a repetition happens once, however often the statement runs.
 */
const REPEAT = (choose: boolean) => `do update
      set repetition = excluded.repetition, status = excluded.status, gate = excluded.gate, address_id = excluded.address_id, lot = excluded.lot,
          attempts_before = deliveries.attempts, pending_since = excluded.pending_since, next_attempt_at = excluded.next_attempt_at,
          reason = null, devices = null, evidence = excluded.evidence${choose ? ', waits_until = excluded.waits_until, waits_for = excluded.waits_for' : ''}
      where deliveries.status <> 'pending' and deliveries.repetition < excluded.repetition`;

/** A repeated message asks for a place of its own: the one before stays in its period, under a number that no delivery has. */
const KEEP_PLACES = `, kept_places as (
    update message_places p set delivery_id = -(p.delivery_id * 100 + made.repetition) from made where p.delivery_id = made.id
  )`;

/**
 * Takes a step for the next users of the step before: those whose message was sent long enough ago, or was decided against, and about whose earlier
 * messages too little is known, get deliveries, and these a deliver job for each channel. A chunk that runs twice creates nothing. A canceled
 * occurrence creates nothing more. Every table is read by its index, in the order of users.
 *
 * A delivery belongs to the step of its channel. That of a fallback without a step belongs to the step of the delivery whose place it takes.
 *
 * $1: occurrence, $2: notification, $3: organization, $4: channels of the step before, $5: the step's channels as JSON, $6: after this user,
 * $7: how many users, $8: seconds after the message, $9: channels whose messages are no evidence, those of this and later steps, $10: channels of
 * all steps, $11: priority, $12: of a repetition how many there are, of a step how often the one before must have been repeated,
 * with `thread` $13: the hash of its value, $14: its field; with `unless` then the seconds until an acknowledgement lapses, or null.
 * Returns the last user that was read, how many were, the first who is not due yet, and in how many milliseconds the next is due.
 */
export const takeStep = ({ unless, choose, each, again, thread }: StepVariant) => `
  with ${USED}, chunk as materialized (
    select user_id from unnest($4::int[]) b(channel), lateral (
      select user_id from deliveries
      where occurrence_id = $1 and notification_id = $2 and channel_id = b.channel and user_id > $6::int order by user_id limit $7::int
    ) d
    group by user_id order by user_id limit $7
  ), edge as materialized (
    select max(user_id) last, count(*)::int users from chunk
  ), ${messagesOf({ after: '$6', all: '$10' })}, known as materialized (
    select r.user_id, coalesce(max(r.repetition) filter (where r.channel_id = any($4)), 0) repetition,
           bool_and(r.status = 'skipped') filter (where r.origin = any($4)) got_nothing,
           ${again ? 'false' : 'bool_or(r.channel_id in (select channel from jsonb_to_recordset($5::jsonb) own(channel int)))'} taken,
           ${unless === null ? 'false' : `coalesce(bool_or(${PROVEN[unless]}) filter (where r.origin <> all($9::int[])), false)`} proven,
           bool_or(r.status = 'pending') filter (where r.origin = any($4)) is_open,
           min(greatest(r.next_attempt_at, now())) filter (where r.origin = any($4) and r.status = 'pending') next_attempt_at,
           min(coalesce(t.at, r.pending_since)) filter (where r.origin = any($4) and r.status = 'sent') sent_at,
           max(greatest(t.at, r.pending_since)) filter (where r.origin = any($4) and r.status in ('skipped', 'dead')) decided_at,
           bool_and(r.gate is not distinct from 'inactive') was_inactive
    from message r
    ${LAST_ATTEMPT}${inboxFor(unless)}
    ${unless === null ? `where $9::int[] is not null` : ''}
    group by r.user_id
  ), timed as materialized (
    select k.*, case when b.at is not null then greatest(b.at + $8::int * interval '1 second'${unless ? ', held.ends_at' : ''}) end due_at
    from known k join chunk using (user_id)
    cross join lateral (select coalesce(sent_at, case when not is_open then decided_at end) at) b${unless ? heldFrom({ each }, thread ? '$15' : '$13') : ''}
    where not taken and not proven${unless ? ` and held.ends_at is distinct from 'infinity'` : ''}
      and ${again ? `repetition < $12::int and not got_nothing` : `(repetition >= $12::int or got_nothing)`}${thread ? ` and not ${RESOLVED}` : ''}
  ), waiting as materialized (
    select user_id, coalesce(due_at, next_attempt_at + $8 * interval '1 second') due_at
    from timed where due_at > now() or due_at is null${
      again
        ? `
    union all
    select user_id, now() + $8 * interval '1 second' from timed where due_at <= now() and repetition + 1 < $12`
        : ''
    }
  ), target as materialized (
    select * from jsonb_to_recordset($5) t(channel int, address_kind text, lists int[], for_all bool${choose ? `, ${CHOICE_COLUMNS}` : ''})
  ), judged as materialized (
    select $1::uuid occurrence, $3::int organization, $2::int notification, t.channel, p.user_id, a.id address_id, ${gate({ choose })} gate${choose ? `, ${CLOCK}` : ''}
    ${judgedFrom(
      `(select * from timed where due_at <= now()) d cross join target t
    cross join lateral (select d.user_id, not d.was_inactive and (t.for_all or not (${ELSEWHERE})) by_audience) p`,
      TARGET,
      { choose },
    )}
  )${choose ? `, ${fates(JUDGED, { gather: false })}` : ''}, made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, lot, status${again ? ', repetition' : ''}${choose ? ', next_attempt_at, waits_until, waits_for, pending_since, evidence' : ''})
    select j.occurrence, j.organization, j.notification, j.channel, j.user_id, j.address_id, j.gate, ${LOT},
           (case when j.gate is null then 'pending' else 'skipped' end)::delivery_status${again ? ', (select repetition + 1 from timed where user_id = j.user_id)' : ''}${choose ? `, until, free_at, waits_for, coalesce(free_at, now()), ${EVIDENCE}` : ''}
    from ${choose ? 'fated' : 'judged'} j where ${OURS}
    on conflict (occurrence_id, notification_id, channel_id, user_id) ${again ? REPEAT(choose) : 'do nothing'}
    returning id, notification_id, channel_id, user_id, lot, status, next_attempt_at, repetition
  )${again && choose ? KEEP_PLACES : ''}, new_jobs as (${insertDeliverJobs(
    { ...JOB_OF_GROUP, occurrence: '$1::uuid', priority: '$11::text' },
    '$3::int',
    `from made where status = 'pending' group by notification_id, channel_id, lot`,
    'min(coalesce(next_attempt_at, now()))',
  )})
  select last, users, (select min(user_id) from waiting) "firstWaiting",
         (select extract(epoch from min(due_at) - now())::float8 * 1000 from waiting) "waitMs"
  from edge`;
