import { Notice } from '../prisma/notice.js';
import { LAST_JOB_PRIORITY, jobPrioritySql } from './priority.js';
import type { Priority } from './priority.js';
import type { Slots } from './slots.js';

/** Every kind of job, in one list. Payloads carry ids only. */
export const Task = {
  /** Resolves the recipients of occurrences and creates their deliveries. */
  Expand: 'expand',
  /** Sends the messages of one chunk: some people of one rule and channel of an occurrence. */
  Deliver: 'deliver',
  /** Marks the waiting deliveries of a canceled occurrence as canceled. */
  Cancel: 'cancel',
  /** Makes the dead deliveries of an occurrence pending again. */
  Retry: 'retry',
  /** Reports the outcomes of some deliveries to the status webhook of their application. */
  Report: 'report',
} as const;

export interface ExpandPayload {
  occurrences: string[];
}

export interface DeliverPayload {
  occurrence: string;
  notification: number;
  channel: number;
  /** The job sends to users with `after` < id <= `last`. */
  after: number;
  last: number;
  /** Set when the channel is a fallback without a template of its own: the channel whose template it uses. */
  template: number | null;
  /** Number of the deliveries that one retry or fallback made pending together; null: as they were expanded. */
  lot: string | null;
  priority: Priority;
}

export interface SteerPayload {
  occurrence: string;
  /** The last delivery that was handled. */
  after?: [notification: number, channel: number, user: number];
}

export interface ReportPayload {
  /** The receiver recognises a repeated report by this id. */
  id: string;
  application: number;
  /** When the outcomes were written. */
  at: string;
  deliveries: [delivery: number, attempt: number, outcome: string][];
  /** How many attempts have failed. */
  tries: number;
}

export interface Payloads {
  [Task.Expand]: ExpandPayload;
  [Task.Deliver]: DeliverPayload;
  [Task.Cancel]: SteerPayload;
  [Task.Retry]: SteerPayload;
  [Task.Report]: ReportPayload;
}

/** One function for every task: a task without one does not compile. On `stopping` it ends early and requeues the rest. */
export type TaskFunctions = {
  [Name in keyof Payloads]: (payload: Payloads[Name], stopping: AbortSignal, slots: Slots) => Promise<void>;
};

/** SQL for each part of a payload. */
export type SqlOf<Payload> = { [Name in keyof Payload]: string };

/** Inserts graphile-worker's rows for our tasks. A worker inserts them when it starts, but an API process may start first. */
export const ENSURE_TASKS = `
  insert into graphile_worker._private_tasks (identifier) select unnest($1::text[]) on conflict do nothing`;

export const taskId = (task: string) => `(select id from graphile_worker._private_tasks where identifier = '${task}')`;

/** The lanes of expand jobs: critical jobs do not wait behind the others. */
export const EXPAND_LANES = { critical: 'expand:critical', others: 'expand' };

/** Notifies the workers of new expand jobs. `jobs` is the table expression of the inserted jobs. */
export const notifyOfExpandJobs = (jobs: string) =>
  `select pg_notify('${Notice.Expand}', lane) from (select distinct jsonb_object_keys(flags) lane from ${jobs}) lanes`;

/** Locks expand jobs that are due, as graphile-worker does when it fetches one. $1 worker, $2 lane, $3 how many. */
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
 * A statement that inserts one expand job for each row of `from`. The job's flag is its lane. `priority` is SQL for the name of a
 * priority, `occurrences` is SQL for a JSON array. It does not call `add_job`, which plans its own insert each time: that took
 * 0.8 ms of the 1.05 ms that a trigger cost PostgreSQL.
 */
export const insertExpandJobs = (occurrences: string, priority: string, runAt: string, from: string) => `
    insert into graphile_worker._private_jobs (task_id, payload, run_at, priority, flags)
    select ${taskId(Task.Expand)}, json_build_object('occurrences', ${occurrences}), ${runAt}, ${jobPrioritySql(priority)},
           jsonb_build_object(case ${priority} when 'critical' then '${EXPAND_LANES.critical}' else '${EXPAND_LANES.others}' end, true)
    ${from}
    returning id, flags`;

/**
 * SQL that adds a report job, from SQL for each part of its payload; `deliveries` is JSON. The key makes the new job replace the
 * job that asks for it. Its flag is its lane: a slow receiver of one application does not delay the reports of another.
 */
export function addReportJob(payload: SqlOf<ReportPayload>, runAt = 'now()'): string {
  const { id, application, at, deliveries, tries } = payload;
  return `graphile_worker.add_job('${Task.Report}',
    json_build_object('id', ${id}, 'application', ${application}, 'at', ${at}, 'deliveries', ${deliveries}, 'tries', ${tries}),
    run_at => ${runAt}, priority => ${LAST_JOB_PRIORITY}, job_key => (${id})::text,
    flags => array[concat('report:', ${application})])`;
}
