import { Notice } from '../database/notice.js';
import { EXPAND_PRIORITY, JOB_PRIORITIES, LAST_JOB_PRIORITY, jobPrioritySql } from './priority.js';
import { Task } from './task.js';
import type { ReportPayload, SqlOf } from './task.js';

/** SQL for the columns of new jobs. */
interface NewJobs {
  task: string;
  organization: string;
  priority: string | number;
  payload: string;
  lane?: string;
  /** When they are ready; undefined: at once. */
  runAt?: string;
  size?: string;
  key?: string;
  /** How often they count as taken. */
  attempts?: string;
}

const stateAt = (runAt: string) => `(case when ${runAt} > now() then 'scheduled' else 'ready' end)::job_state`;

/** A statement that inserts one job for each row of `from`. */
export const insertJobs = (job: NewJobs, from: string) => `
    insert into jobs (task, organization_id, lane, priority, state, run_at, size, payload, key, attempts)
    select '${job.task}', ${job.organization}, ${job.lane ?? `''`}, ${job.priority},
           ${job.runAt === undefined ? `'ready'::job_state, now()` : `${stateAt(job.runAt)}, ${job.runAt}`},
           ${job.size ?? '1'}, ${job.payload}, ${job.key ?? 'null::text'}, ${job.attempts ?? '0'}
    ${from}`;

/** A statement that inserts a job for each occurrence `o` of `from`, which expands it in chunks. */
export const insertExpandOneJobs = (from: string, priority = EXPAND_PRIORITY) =>
  insertJobs(
    {
      task: Task.ExpandOne,
      organization: 'o.organization_id',
      priority: jobPrioritySql(priority),
      payload: `jsonb_build_object('occurrence', o.id)`,
    },
    from,
  );

/**
 * A statement that inserts one job for all digests of an organization among the deliveries of `from`. It counts as taken once: a worker of the
 * release before takes such a job for one that comes back, and gives each digest a deliver job.
 */
export const insertDigestJobs = (from: string) =>
  insertJobs(
    {
      task: Task.Expand,
      organization: 'organization_id',
      priority: jobPrioritySql(`'normal'`),
      size: 'count(*)',
      payload: `jsonb_build_object('occurrences', jsonb_agg(occurrence_id), 'digests', true)`,
      attempts: '1',
    },
    `${from} group by organization_id`,
  );

/**
 * A statement that inserts report jobs, from SQL for each part of their payload. The lane keeps a slow receiver of one application from
 * delaying the reports of another.
 */
export const insertReportJobs = (payload: SqlOf<ReportPayload>, organization: string, from: string) =>
  insertJobs(
    {
      task: Task.Report,
      organization,
      lane: `concat('report:', ${payload.application})`,
      priority: LAST_JOB_PRIORITY,
      payload: `jsonb_build_object(${Object.entries(payload)
        .map(([part, sql]) => `'${part}', ${sql}`)
        .join(', ')})`,
    },
    from,
  );

/**
 * For an organization that is deleted: an occurrence that was canceled before its time has left its job. Ready and running jobs find nothing
 * to do, and end by themselves. $1: organization.
 */
export const DELETE_WAITING_JOBS = `delete from jobs where organization_id = $1 and state in ('scheduled', 'paused')`;

/** The jobs that workers take many at a time, and the others. Each has a partial index with exactly these conditions. */
const READY = {
  [Notice.Jobs.expand]: `state = 'ready' and task = '${Task.Expand}'`,
  [Notice.Jobs.others]: `state = 'ready' and task <> '${Task.Expand}'`,
};

/**
 * Takes jobs from all organizations and lanes in turn: an organization with 100,000 jobs gets no more of a turn than one with a single
 * job. A recursive query walks the index from one lane to the next, and looks at one row of each.
 *
 * $1: worker, $2 and $3: organization and lane of the last turn, $4: how many jobs, $5: room for jobs, by their size. $6: lanes that hold
 * room, each after its organization, as JSON, $7: room of a lane, $8: organizations that hold room, $9: room of an organization.
 * $10: how many lanes to visit in each priority. The next statement goes on after the last of them.
 */
const take = (ready: string) => `
  with lanes as materialized (
    select p.place, w.step, p.priority, w.organization_id, w.lane
    from unnest(array[${JOB_PRIORITIES.join(', ')}]::smallint[]) with ordinality p(priority, place)
    cross join lateral (
      with recursive walk as (
        select $2::int organization_id, $3::text lane, 0 step, false wrapped
        union all
        select n.organization_id, n.lane, w.step + 1, n.wrapped
        from walk w cross join lateral (
          (select j.organization_id, j.lane, w.wrapped from jobs j
           where ${ready} and j.priority = p.priority and (j.organization_id, j.lane) > (w.organization_id, w.lane)
             and (not w.wrapped or (j.organization_id, j.lane) <= ($2, $3))
           order by j.organization_id, j.lane limit 1)
          union all
          (select j.organization_id, j.lane, true from jobs j
           where ${ready} and j.priority = p.priority and not w.wrapped and (j.organization_id, j.lane) <= ($2, $3)
           order by j.organization_id, j.lane limit 1)
          limit 1
        ) n
        where w.step < $10::int
      )
      select step, organization_id, lane from walk
      where step > 0 and coalesce(($6::jsonb->>concat(organization_id, ' ', lane))::int, 0) < $7::int
        and coalesce(($8::jsonb->>organization_id::text)::int, 0) < $9::int
        and not exists (select from organization_freezes f where f.organization_id = walk.organization_id)
    ) w
  ), found as (
    select j.id, j.size, l.place, l.step, l.organization_id, l.lane
    from lanes l cross join lateral (
      select id, size from jobs j
      where ${ready} and j.priority = l.priority and j.organization_id = l.organization_id and j.lane = l.lane
      order by run_at limit (select greatest(1, $4::int / count(*)) from lanes) for update skip locked
    ) j
    -- A job has a size of 1 or more. To find more jobs than there is room for would lock their rows for nothing.
    limit least($4::int, $5::int)
  ), sized as (
    select id, place, step, size,
           sum(size) over (partition by organization_id, lane order by place, step, id) - size
             + coalesce(($6::jsonb->>concat(organization_id, ' ', lane))::int, 0) before_in_lane,
           sum(size) over (partition by organization_id order by place, step, id) - size
             + coalesce(($8::jsonb->>organization_id::text)::int, 0) before_in_organization
    from found
  ), fitting as (
    -- Only jobs that fit into the room of their lane and organization count, or a busy organization would use up the room of others.
    select id, place, step, sum(size) over (order by place, step, id) - size before
    from sized where before_in_lane < $7::int and before_in_organization < $9::int
  )
  update jobs j set state = 'running', worker = $1, taken_at = now(), attempts = attempts + 1, key = null
  from fitting f
  where j.id = f.id and before < $5::int
  returning j.id, task, j.organization_id "organizationId", lane, size, attempts, payload, place::int, step,
            (select count(*)::int from lanes) lanes`;

export const TAKE = {
  [Notice.Jobs.expand]: { name: 'take-expand-jobs', text: take(READY.expand) },
  [Notice.Jobs.others]: { name: 'take-jobs', text: take(READY.others) },
};

/** $1: jobs, $2: worker. */
export const COMPLETE = `delete from jobs where id = any($1::bigint[]) and worker = $2`;

/** A job of this worker that another worker has taken over is left alone. $1: job, $2: worker. */
const OURS = `where id = $1 and worker = $2`;

/** $3: milliseconds to wait, $4: new payload or null. */
export const PUT_BACK = `
  update jobs set state = (case when $3 > 0 then 'scheduled' else 'ready' end)::job_state, run_at = now() + $3 * interval '1 millisecond',
    payload = coalesce($4::jsonb, payload), attempts = 0, worker = null, taken_at = null ${OURS}`;

/** $3: the switch that is off, $4: its id. */
export const PAUSE = `
  update jobs set state = 'paused', switch = $3::switch, switch_id = $4, paused_at = now(), attempts = 0, worker = null, taken_at = null ${OURS}`;

/** $3: why. The wait grows from 3 seconds to 6 hours. */
export const FAIL = `
  update jobs set state = 'scheduled', run_at = now() + exp(least(attempts, 10)) * interval '1 second', problem = $3, worker = null,
    taken_at = null ${OURS}`;

const KIND = `case task when '${Task.Expand}' then '${Notice.Jobs.expand}' else '${Notice.Jobs.others}' end`;
const notifyOf = (jobs: string) =>
  `select pg_notify('${Notice.Jobs.name}', kind) from (select distinct ${KIND} kind from ${jobs}) kinds`;

/** Makes scheduled jobs ready whose time has come. $1: how many. */
export const MAKE_READY = `
  with due as (
    update jobs set state = 'ready' where id = any(array(
      select id from jobs where state = 'scheduled' and run_at <= now() order by run_at limit $1 for update skip locked))
    returning task
  )
  ${notifyOf('due')}`;

/** A worker holds an advisory lock on its number as long as it lives. */
export const DEAD_WORKERS = `
  select worker from (select distinct worker from jobs where state = 'running') holders where pg_try_advisory_xact_lock(worker)`;

/** $1: dead workers. */
export const RECOVER = `
  with recovered as (
    update jobs set state = 'ready', worker = null, taken_at = null where state = 'running' and worker = any($1::bigint[]) returning task
  )
  ${notifyOf('recovered')}`;

/**
 * Frees jobs that this worker has taken without knowing it: the answer to its statement was lost after the commit. $1: worker, $2: the
 * jobs that it knows.
 */
export const FREE_UNKNOWN = `
  update jobs set state = 'ready', worker = null, taken_at = null
  where state = 'running' and worker = $1 and taken_at < now() - interval '15 seconds' and id <> all($2::bigint[])`;
