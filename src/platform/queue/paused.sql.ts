import { JOB_FROM_PAYLOAD, inChunk } from './deliver-job.js';
import { JOB_PRIORITIES, PRIORITIES } from './priority.js';
import { Task } from './task.js';

/** The deliver jobs that wait until a channel is switched on, given as SQL. */
const pausedBy = (channel: string) =>
  `state = 'paused' and switch = 'channel' and switch_id = ${channel} and task = '${Task.Deliver}'`;

/** Whether the occurrence of a deliver job `j` has expired. */
const HAS_EXPIRED = `exists (
      select from occurrences o where o.id = (j.payload->>'occurrence')::uuid and (o.options->>'expires_at')::timestamptz <= now())`;

/** The messages that wait for a channel, and since when the first does. $1: channel, $2: where to stop. */
export const COUNT_WAITING = `
  select count(*)::int waiting, min(paused_at) since from (
    select j.paused_at from jobs j join deliveries d on ${inChunk('d', JOB_FROM_PAYLOAD)}
    where ${pausedBy('$1::int')} and not ${HAS_EXPIRED} limit $2) messages`;

/** In the order of the index of ready jobs. */
const LANES = `array[${PRIORITIES.map((priority) => `concat('${priority}:', $1::int)`).join(', ')}]`;

/** Scheduled jobs of the organization that are looked at: it may have many more, of other channels. */
const LOOKED_AT = 10_000;

/** The most failures that are shown of a channel. */
const SHOWN = 10;

/** The latest failed attempt of each of these deliveries, newest first. `deliveries`: SQL for ids and occurrences. */
const failuresOf = (deliveries: string) => `
  select a.at, a.answer, t.occurrence_id occurrence
  from ${deliveries} t cross join lateral (
    select at, answer from attempts where delivery_id = t.id and outcome <> 'sent' order by number desc limit 1) a
  order by a.at desc limit ${SHOWN}`;

/** The deliveries over a channel that were given up, and how. $1: channel, $2: organization, $3: the first id of the time. */
export const GIVEN_UP = `
  with dead as materialized (
    select id, occurrence_id, channel_id from deliveries
    where organization_id = $2 and reason is not null and occurrence_id >= $3::uuid and status = 'dead'
    order by occurrence_id desc limit ${LOOKED_AT / 10}
  )
  ${failuresOf(`(select * from dead where channel_id = $1)`)}`;

/**
 * The messages that wait for a channel which is on and whose last attempts failed, since when the first does, and how the latest attempts for
 * some of them failed. Messages that wait for a clock or a digest do not count. $1: channel, $2: organization, $3: where to stop.
 */
export const COUNT_FAILING = `
  with failing as materialized (select from channel_states where channel_id = $1::int and failures > 0),
  waiting as materialized (
    select payload from (
      select payload, lane, task from jobs
      where state = 'scheduled' and organization_id = $2 and exists (select from failing) limit ${LOOKED_AT}) j
    where lane = any(${LANES}) and task = '${Task.Deliver}'
    union all
    select payload from jobs
    where state = 'ready' and task <> '${Task.Expand}' and priority in (${JOB_PRIORITIES.join(', ')}) and organization_id = $2
      and lane = any(${LANES}) and task = '${Task.Deliver}' and exists (select from failing)
    limit ${LOOKED_AT}
  ),
  messages as materialized (
    select d.id, d.occurrence_id, d.pending_since, d.attempts from waiting j join deliveries d on ${inChunk('d', JOB_FROM_PAYLOAD)}
    where d.waits_for is null limit $3
  ),
  tried as materialized (select id, occurrence_id from messages where attempts > 0 limit ${LOOKED_AT / 10}),
  failures as materialized (${failuresOf('tried')})
  select (select count(*)::int from messages) waiting, (select min(pending_since) from messages) since,
         (select answer from failures order by at desc limit 1) "lastFailure",
         (select json_agg(f) from failures f) failures`;

/**
 * Turns some deliver jobs into jobs that skip their deliveries: from then on nothing of them is sent, whatever is switched on. Returns how
 * many jobs and deliveries these are. `jobs`: SQL for their ids. `gate` and `evidence`: SQL.
 */
const skip = (jobs: string, gate: string, evidence: string) => `
  with skipped as (
    update jobs j
    set task = '${Task.Skip}', state = 'ready', run_at = now(), switch = null, switch_id = null, paused_at = null,
        payload = j.payload || jsonb_build_object('gate', ${gate}, 'evidence', ${evidence})
    where id = any(${jobs})
    returning j.id, j.payload
  )
  select count(distinct skipped.id)::int jobs, count(d.id)::int deliveries
  from skipped left join deliveries d on ${inChunk('d', JOB_FROM_PAYLOAD)}`;

/** Nothing waits for a channel that is on: what is ready is about to be sent. */
const IS_OFF = `exists (select from channels c where c.id = $1::int and not c.enabled)`;

/**
 * Discards what waits for a channel that is off. Jobs that are ready have not noticed yet that it is. $1: channel, $2: organization,
 * $3: how many jobs, $4: evidence.
 */
export const DISCARD = skip(
  `array(select id from jobs where ${pausedBy('$1::int')} and ${IS_OFF} limit $3 for update)
      || array(
        select id from jobs
        where state = 'ready' and task <> '${Task.Expand}' and priority in (${JOB_PRIORITIES.join(', ')}) and organization_id = $2
          and lane = any(${LANES}) and task = '${Task.Deliver}' and ${IS_OFF}
        limit $3 for update skip locked)`,
  `'canceled'`,
  '$4::jsonb',
);

/** Ends what has waited too long for a channel that is off, or has expired meanwhile. $1: days, $2: how many jobs, $3: evidence. */
export const EXPIRE_PAUSED = skip(
  `array(
      select id from jobs j
      where state = 'paused' and switch = 'channel' and task = '${Task.Deliver}'
        and (paused_at < now() - make_interval(days => $1) or ${HAS_EXPIRED})
      limit $2 for update skip locked)`,
  `'expired'`,
  `case when not ${HAS_EXPIRED} then $3::jsonb end`,
);
