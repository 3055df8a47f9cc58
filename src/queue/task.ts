import { Notice } from '../prisma/notice.js';
import type { Hands } from './hands.js';
import { LAST_JOB_PRIORITY, jobPrioritySql } from './priority.js';
import type { Priority } from './priority.js';

/** Every kind of job, in one list. Payloads carry ids only. */
export const Task = {
  /** Occurrences whose people are to be worked out. */
  Expand: 'expand',
  /** Some people of one rule and channel of an occurrence, to be sent their messages. */
  Deliver: 'deliver',
  /** An occurrence that was canceled: what waits is marked so. */
  Cancel: 'cancel',
  /** An occurrence whose dead deliveries are to be tried again. */
  Retry: 'retry',
  /** What became of some deliveries, for the status webhook of their application. */
  Report: 'report',
} as const;

export interface ExpandPayload {
  occurrences: string[];
}

export interface DeliverPayload {
  occurrence: string;
  notification: number;
  channel: number;
  /** The users with `after` < id <= `last`. */
  after: number;
  last: number;
  /** The channel whose template is used, when it is not the channel's own: it stands in for another. */
  template: number | null;
  /** Those that were retried, or fell back, together; null: as they were expanded. */
  lot: string | null;
  priority: Priority;
}

export interface SteerPayload {
  occurrence: string;
  /** How far it has come. */
  after?: [notification: number, channel: number, user: number];
}

export interface ReportPayload {
  /** What its receiver recognises a repeat by. */
  id: string;
  application: number;
  /** When the outcomes were written. */
  at: string;
  deliveries: [delivery: number, attempt: number, outcome: string][];
  /** How often it was tried in vain. */
  tries: number;
}

export interface Payloads {
  [Task.Expand]: ExpandPayload;
  [Task.Deliver]: DeliverPayload;
  [Task.Cancel]: SteerPayload;
  [Task.Retry]: SteerPayload;
  [Task.Report]: ReportPayload;
}

/** One function for every task: a task without one does not compile. It stops early, and hands back the rest, when told to. */
export type TaskFunctions = {
  [Name in keyof Payloads]: (payload: Payloads[Name], stopping: AbortSignal, hands: Hands) => Promise<void>;
};

type SqlOf<Payload> = { [Name in keyof Payload]: string };

/** The rows that graphile-worker knows its tasks by; it makes them itself where a worker starts, but an api may come first. */
export const ENSURE_TASKS = `
  insert into graphile_worker._private_tasks (identifier) select unnest($1::text[]) on conflict do nothing`;

const taskId = (task: string) => `(select id from graphile_worker._private_tasks where identifier = '${task}')`;

/** The lanes of expand jobs: what is critical does not wait behind what is not. */
export const EXPAND_LANES = { critical: 'expand:critical', others: 'expand' };

/** Tells the workers of expand jobs, from the table expression of those that a statement has inserted. */
export const tellOfExpandJobs = (jobs: string) =>
  `select pg_notify('${Notice.Expand}', lane) from (select distinct jsonb_object_keys(flags) lane from ${jobs}) lanes`;

/** Locks the expand jobs that are due, as graphile-worker does when it fetches one. $1 worker, $2 lane, $3 how many. */
export const TAKE_JOBS = {
  name: 'take-jobs',
  text: `
    update graphile_worker._private_jobs set attempts = attempts + 1, locked_by = $1, locked_at = now()
    where id = any(array(
      select id from graphile_worker._private_jobs
      where task_id = ${taskId(Task.Expand)} and is_available and run_at <= now() and flags ? $2
      order by priority, run_at limit $3 for update skip locked))
    returning id, payload`,
};

/**
 * A statement that inserts expand jobs, for the rows of \`from\`. Its flag is its lane. \`priority\` is SQL for a priority's name,
 * \`occurrences\` for a JSON array. Without \`add_job\`, which plans its own insert each time: 0.8 ms of the 1.05 ms that a trigger cost PostgreSQL.
 */
export const insertExpandJobs = (occurrences: string, priority: string, runAt: string, from: string) => `
    insert into graphile_worker._private_jobs (task_id, payload, run_at, priority, flags)
    select ${taskId(Task.Expand)}, json_build_object('occurrences', ${occurrences}), ${runAt}, ${jobPrioritySql(priority)},
           jsonb_build_object(case ${priority} when 'critical' then '${EXPAND_LANES.critical}' else '${EXPAND_LANES.others}' end, true)
    ${from}
    returning id, flags`;

/** A number for those that a statement makes pending together: nobody else sends them, whatever lies between them. */
export const LOT = 'pg_current_xact_id()::text::bigint';

/** The lane of deliver jobs. */
export const deliverLane = (priority: Priority, channel: number) => `${priority}:${channel}`;

function deliverJob({
  occurrence,
  notification,
  channel,
  after,
  last,
  template,
  lot,
  priority,
}: SqlOf<DeliverPayload>) {
  const key = [occurrence, notification, channel, after, last, template, lot].map((part) => `(${part})::text`);
  return {
    payload: `json_build_object('occurrence', ${occurrence}, 'notification', ${notification}, 'channel', ${channel},
      'after', ${after}, 'last', ${last}, 'template', ${template}, 'lot', ${lot}, 'priority', ${priority})`,
    priority: jobPrioritySql(priority),
    key: `concat_ws(':', ${key.join(', ')})`,
    lane: `concat(${priority}, ':', ${channel})`,
  };
}

/**
 * SQL that adds the deliver job of a chunk, from SQL for each part of its payload. By its key it takes the place of the job
 * that asks for it, should that one run again. Its flag, channel and priority, is its lane.
 */
export function addDeliverJob(of: SqlOf<DeliverPayload>, runAt = 'now()'): string {
  const { payload, priority, key, lane } = deliverJob(of);
  return `graphile_worker.add_job('${Task.Deliver}', ${payload},
    run_at => ${runAt}, priority => ${priority}, job_key => ${key}, flags => array[${lane}])`;
}

/**
 * A statement that adds the same job in the hand of a worker, from SQL for its id, and answers the job's id. Written by hand:
 * `add_job` costs 0.5 ms, wakes all workers, and its NOTIFY makes commits wait for one another.
 */
export function holdDeliverJob(of: SqlOf<DeliverPayload>, worker: string, from: string, where: string): string {
  const { payload, priority, key, lane } = deliverJob(of);
  return `
    insert into graphile_worker._private_jobs (task_id, payload, priority, key, flags, attempts, locked_at, locked_by)
    select ${taskId(Task.Deliver)}, ${payload}, ${priority}, ${key}, jsonb_build_object(${lane}, true), 1, now(), ${worker}
    from ${from} where ${where}
    on conflict (key) do nothing
    returning id`;
}

/**
 * SQL that adds a report job, from SQL for each part of its payload; `deliveries` is JSON. By its key it takes the place of the job
 * that asks for it. Its flag is its lane: the slow receiver of one application holds up no other.
 */
export function addReportJob(payload: SqlOf<ReportPayload>, runAt = 'now()'): string {
  const { id, application, at, deliveries, tries } = payload;
  return `graphile_worker.add_job('${Task.Report}',
    json_build_object('id', ${id}, 'application', ${application}, 'at', ${at}, 'deliveries', ${deliveries}, 'tries', ${tries}),
    run_at => ${runAt}, priority => ${LAST_JOB_PRIORITY}, job_key => (${id})::text,
    flags => array[concat('report:', ${application})])`;
}
