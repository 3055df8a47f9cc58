import { insertDeliverJobs } from '../../platform/queue/deliver-job.js';
import { insertExpandOneJobs } from '../../platform/queue/job.sql.js';
import { EXPAND_PRIORITY, jobPrioritySql } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';
import { CHOICE_COLUMNS } from '../../rules/ruleset/choices.js';
import type { Variant } from '../../rules/ruleset/choices.js';
import { CLOCK, CLOCK_OF_ROOM, GATHERING, RECIPIENTS } from '../../rules/ruleset/choices.sql.js';
import { evidenceOf } from '../../rules/ruleset/evidence.sql.js';
import { NAMES, RECIPIENT_COLUMNS } from '../../rules/ruleset/message.sql.js';
import { gate, judgedFrom, membersAfter } from '../../rules/ruleset/users.sql.js';
import { ROOM } from '../../rules/ruleset/rule.js';
import { rulesetOf } from '../../rules/ruleset/rule.sql.js';
import { OFF_ABOVE } from '../../rules/ruleset/switch.sql.js';
import { CHANNEL_STATE, STATUS_WEBHOOK, dueAt } from '../deliver/deliver-chunk.sql.js';
import { FATE, FATE_COLUMNS, fates } from '../digest/gather.sql.js';
import { insertStepJobs, openSteps } from '../step/step.sql.js';

/** The most users that one target of a small occurrence reaches. */
export const MAX_USERS = 100;

/** What one statement hands over in memory: users, and characters of their custom fields. */
const MAX_USERS_OF_BATCH = 1000;
const MAX_BYTES_OF_BATCH = 8 * 1024 * 1024;

const CHANNELS = `
  select c.id, c.organization_id "organizationId", c.project_id "projectId", c.slug, c.name, c.type, c.enabled, c.config, ${CHANNEL_STATE}
  from channels c
  left join channels f on f.id = c.fallback_id
  left join channel_states s on s.channel_id = c.id`;

/** $1: channels. */
export const LOAD_CHANNELS = `${CHANNELS} where c.id = any($1::int[])`;

const all = (table: string) => `(select coalesce(json_agg(each_row), '[]') from ${table} each_row)`;

/**
 * Loads some occurrences, their events with their switches, and the channels of the events' rules, in one row. $1: occurrences.
 */
const loadBatch = (columns: string, where: string) => `
  with occurrence as materialized (
    select o.id, o.organization_id "organizationId", o.event_id "eventId", o.ruleset_id "rulesetId", o.context, o.options,
           o.created_at "createdAt"${columns}
    from occurrences o where o.id = any($1::uuid[]) and ${where}
  ), event as materialized (
    select e.id, e.max_recipients ceiling, ${NAMES}, ${RECIPIENTS}, ${OFF_ABOVE} off, ${STATUS_WEBHOOK},
           array(select n.id from notifications n where n.event_id = e.id and not n.enabled) "offNotifications"
    from events e
    join applications a on a.id = e.application_id
    join projects p on p.id = a.project_id
    join organizations g on g.id = e.organization_id
    left join status_webhooks w on w.application_id = a.id
    where e.id in (select "eventId" from occurrence)
  ), channel as (
    ${CHANNELS}
    where c.id in (
      select t.channel_id from templates t join notifications n on n.id = t.notification_id where n.event_id in (select id from event))
  )
  select ${all('occurrence')} occurrences, ${all('event')} events, ${all('channel')} channels`;

/** Occurrences that were not canceled or deleted since their trigger. */
export const LOAD_BATCH = loadBatch('', `o.status = 'pending'`);

/** Occurrences that carry digests, with the notification and the channel of their only delivery. */
export const LOAD_DIGESTS = loadBatch(
  `, o.digest, (select json_build_object('notification', d.notification_id, 'channel', d.channel_id) from deliveries d where d.occurrence_id = o.id limit 1) target`,
  `o.status = 'expanded' and o.digest is not null`,
);

/** $1: rulesets. */
export const LOAD_RULESETS = `select r.id, r.rules::text rules from unnest($1::int[]) ruleset(id) join ${rulesetOf('ruleset.id')}`;

/** The users of a target `t` through its lists. With `limit_to` users are looked up by name: the lists may be long. */
const IN_LIST = `(m.channel_id is null or m.channel_id = t.channel)`;
const LISTED_USERS = `
      select m.user_id, false by_audience
      from unnest(t.lists) list(id), lateral (
        ${membersAfter('0')} and t.only_to is null and ${IN_LIST}
        order by m.list_id, m.user_id limit ${MAX_USERS + 1}
      ) m
      union all
      select m.user_id, false
      from users u join members m on m.user_id = u.id and m.list_id = any(t.lists) and ${IN_LIST}
      where t.only_to is not null and u.organization_id = t.organization and u.email_key = any(t.only_to)`;

/** The users that a target `t` names. */
const NAMED_USERS = `
      select u.id user_id, true by_audience from users u
      where t.names is not null and u.organization_id = t.organization and u.email_key = any(t.names)`;

const audienceUsers = (condition: string, named: BatchVariant['named']) => `
      (select u.id user_id, true by_audience from users u
       where ${named ? 't.names is null and ' : ''}t.only_to is null and u.organization_id = t.organization and (${condition}) order by u.id limit ${MAX_USERS + 1})
      union all
      select u.id, true from users u
      where t.only_to is not null and u.organization_id = t.organization and u.email_key = any(t.only_to) and (${condition})`;

const TARGET = {
  organization: 't.organization',
  channel: 't.channel',
  addressKind: 't.address_kind',
  lists: 't.lists',
};

const rooms = ({ choose, gather }: Variant) => `
    union all
    select place, occurrence, organization, notification, channel, ${ROOM}, null, null, 0${choose ? `, ${CLOCK_OF_ROOM}` : ''}${gather ? ', null, null, null, null, null' : ''}
    from target t where room`;

/**
 * Whether a value is among the rows of a query. Written so that PostgreSQL looks it up in a hash table: it takes our table expressions for
 * one row long, and would join two of 200 rows by comparing each with each, which took 20 ms of 36.
 */
export const isIn = (value: string, query: string) => `((${value} in (${query})) is true)`;

/** As `fates` wants them. */
const JUDGED = {
  table: 'judged',
  ours: isIn('j.occurrence', 'select id from mark'),
};

const EVIDENCE = evidenceOf('j.gate', {
  organization: 'j.organization',
  user: 'j.user_id',
  address: 'j.address_id',
  choices: `(select to_jsonb(t) from target t where t.occurrence = j.occurrence and t.notification = j.notification and t.channel = j.channel)`,
});

export interface BatchVariant extends Variant {
  /** Whether some targets are posts to rooms. */
  rooms: boolean;
  /** Whether some or all targets for users name them; left out: none does. */
  named?: 'some' | 'all';
  /** Whether some rules have more steps. */
  steps?: boolean;
}

/** The users of a target `t`. */
const candidates = (audience: string | null, { named }: BatchVariant) =>
  [
    ...(named === 'all' ? [] : [LISTED_USERS, ...(audience === null ? [] : [audienceUsers(audience, named)])]),
    ...(named ? [NAMED_USERS] : []),
  ].join('\n      union all');

const isDue = ({ choose }: Variant) =>
  `status = 'pending'${choose ? ' and next_attempt_at is null and digest_id is null' : ''}`;

const WAITING_TARGETS = `
    union all
    select distinct occurrence_id, null::bigint, notification_id, channel_id, null::int, null::timestamptz, null::int
    from made where next_attempt_at is not null`;

/**
 * Expands many small occurrences: creates the deliveries of all their users, stores the decisions, ends the expansion, and returns what
 * their messages need. An occurrence is left as it was if one of its targets has more than `MAX_USERS`, if it reaches more than its
 * event allows, if the batch is full, or if it was canceled.
 *
 * $1: targets, $2: occurrences, both as JSON. $3...: the audience, which all rules of these occurrences share. `rooms`: whether some targets
 * are posts to a room, which have no users. `steps`: whether some rules have more steps, which get their jobs. A row without an id stands for an occurrence without deliveries that are due, or, with a
 * notification and a channel, for deliveries that wait.
 */
export const expandBatch = (audience: string | null, variant: BatchVariant) => `
  with target as materialized (
    select * from jsonb_to_recordset($1::jsonb)
      t(place int, occurrence uuid, organization int, notification int, channel int, address_kind text, lists int[], only_to text[]${variant.named ? ', names text[]' : ''}${variant.rooms ? ', room bool' : ''}${variant.choose ? `, ${CHOICE_COLUMNS}` : ''})
  ), recipients as materialized (
    select t.place, p.user_id, p.by_audience
    from ${variant.rooms ? '(select * from target where room is null)' : 'target'} t cross join lateral (
      select user_id, bool_or(by_audience) by_audience
      from (${candidates(audience, variant)}) candidates
      group by user_id order by user_id limit ${MAX_USERS + 1}
    ) p
  ), judged as materialized (
    select t.place, t.occurrence, t.organization, t.notification, t.channel, p.user_id, a.id address_id, ${gate(variant)} gate,
           length(u.custom_fields::text) bytes${variant.choose ? `, ${CLOCK}` : ''}${variant.gather ? `, ${GATHERING}` : ''}
    ${judgedFrom('recipients p join target t using (place)', TARGET, variant)}
    ${variant.rooms ? rooms(variant) : ''}
  ), sizes as (
    select occurrence, max(users) largest, sum(users) users, sum(bytes) bytes
    from (select occurrence, count(*) users, sum(bytes) bytes from judged group by occurrence, place) targets
    group by occurrence
  ), small as (
    select occurrence, decisions${variant.steps ? ', steps' : ''}
    from (
      select o.occurrence, o.decisions, o.ceiling,${variant.steps ? ' o.steps,' : ''} coalesce(s.largest, 0) largest,
             coalesce(sum(s.users) over w - s.users, 0) users_before, coalesce(sum(s.bytes) over w - s.bytes, 0) bytes_before
      from jsonb_to_recordset($2::jsonb) o(place int, occurrence uuid, decisions jsonb, ceiling int${variant.steps ? ', steps jsonb' : ''})
      left join sizes s using (occurrence)
      window w as (order by o.place)
    ) o
    where largest <= ${MAX_USERS} and users_before < ${MAX_USERS_OF_BATCH} and bytes_before < ${MAX_BYTES_OF_BATCH}
      and (ceiling is null
           or (select count(distinct j.user_id) from judged j where j.occurrence = o.occurrence and j.gate is null and j.user_id <> ${ROOM}) <= ceiling)
  ), mark as (
    -- Not a join: PostgreSQL keeps the plan that it made for an almost empty table, and then compares each pending occurrence with each of these.
    update occurrences o
    set status = 'expanded', expanded_at = now(), decisions = (select jsonb_object_agg(occurrence, decisions) from small) -> o.id::text${variant.steps ? `, open_steps = ${openSteps('(select x.steps from small x where x.occurrence = o.id)')}` : ''}
    where o.id = any(array(select occurrence from small)) and o.status = 'pending'
    returning o.id${variant.steps ? ', o.organization_id, o.options' : ''}
  ), ${variant.steps ? `step_jobs as (${insertStepJobs('from mark o join small x on x.occurrence = o.id', 'x.steps')}), ` : ''}${variant.choose ? `${fates(JUDGED, variant)}, ` : ''}made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate${variant.choose ? `, ${FATE_COLUMNS}, evidence` : ''}, status)
    select j.occurrence, j.organization, j.notification, j.channel, j.user_id, j.address_id, j.gate,${variant.choose ? ` ${FATE}, ${EVIDENCE},` : ''}
           (case when j.gate is null then 'pending' else 'skipped' end)::delivery_status
    from ${variant.choose ? 'fated' : 'judged'} j where ${JUDGED.ours}
    on conflict (occurrence_id, notification_id, channel_id, user_id) do nothing
    returning id, occurrence_id, notification_id, channel_id, user_id, address_id, status, pending_since${variant.choose ? ', next_attempt_at, digest_id' : ''}
  )
  select d.*, 0 attempts, 0 "attemptsBefore", ${RECIPIENT_COLUMNS}
  from (
    select occurrence_id occurrence, id, notification_id notification, channel_id channel, user_id "userId", pending_since "pendingSince", address_id
    from made where ${isDue(variant)}
    union all
    select id, null, null, null, null, null, null from mark where not ${isIn('id', `select occurrence_id from made where ${isDue(variant)}`)}
    ${variant.choose ? WAITING_TARGETS : ''}
  ) d
  left join users u on u.id = d."userId"
  left join addresses a on a.id = d.address_id`;

/**
 * Gives occurrences a job of their own, and takes them out of the jobs that brought them. $1: jobs, $2: worker, $3: occurrences, $4 and
 * $5: the switch of each that is off, or null.
 */
export const SPLIT_OFF = `
  with ours as (
    update jobs set payload = jsonb_build_object('occurrences', (payload->'occurrences') - $3::text[])
    where id = any($1::bigint[]) and worker = $2 returning id
  )
  insert into jobs (task, organization_id, priority, payload, state, switch, switch_id, paused_at)
  select '${Task.ExpandOne}', o.organization_id, ${jobPrioritySql(EXPAND_PRIORITY)}, jsonb_build_object('occurrence', o.id),
         (case when s.kind is null then 'ready' else 'paused' end)::job_state, s.kind::switch, s.kind_id, case when s.kind is not null then now() end
  from unnest($3::text[], $4::text[], $5::int[]) s(occurrence, kind, kind_id)
  join occurrences o on o.id = s.occurrence::uuid
  where exists (select from ours)`;

/** The parts of a deliver job for the deliveries `d` of a target of an occurrence `o`. */
const REST_JOB = {
  occurrence: 'o.id',
  notification: 'd.notification_id',
  channel: 'd.channel_id',
  after: 'min(d.user_id) - 1',
  last: 'max(d.user_id)',
  priority: `coalesce(o.options->>'priority', 'normal')`,
};
const BY_TARGET = 'group by o.id, d.notification_id, d.channel_id';

/** The deliveries of an occurrence `o` that its expansion made and that wait. */
const WAITING = `deliveries d on d.occurrence_id = o.id and d.status = 'pending' and d.lot is null`;

/**
 * Ends jobs whose messages were sent, except some: they get jobs of their own. $1: jobs, $2: worker, $3 to $7: job, occurrence,
 * notification, channel and least wait in milliseconds of each target.
 */
export const END_WITH_REST = `
  with ended as (delete from jobs where id = any($1::bigint[]) and worker = $2 returning id)
  ${insertDeliverJobs(
    REST_JOB,
    'o.organization_id',
    `from unnest($3::bigint[], $4::uuid[], $5::int[], $6::int[], $7::float8[]) t(job, occurrence, notification, channel, wait_ms)
     join ended on ended.id = t.job
     join occurrences o on o.id = t.occurrence
     join ${WAITING} and d.notification_id = t.notification and d.channel_id = t.channel ${BY_TARGET}`,
    dueAt('max(t.wait_ms)'),
  )}`;

/**
 * Replaces jobs that come back, because their worker has died, and those that failed. An occurrence that was expanded gets jobs for its
 * waiting deliveries, any other a job of its own. $1: jobs, $2: worker.
 */
export const REPLACE_JOBS = `
  with ended as (
    delete from jobs where id = any($1::bigint[]) and worker = $2 returning payload
  ), o as (
    select o.* from ended, jsonb_array_elements_text(payload->'occurrences') occurrence join occurrences o on o.id = occurrence::uuid
  ), expand_jobs as (${insertExpandOneJobs(`from o where o.status in ('pending', 'expanding')`)})
  ${insertDeliverJobs(REST_JOB, 'o.organization_id', `from o join ${WAITING} where o.status not in ('pending', 'expanding') group by o.id, o.organization_id, o.options, d.notification_id, d.channel_id`)}`;
