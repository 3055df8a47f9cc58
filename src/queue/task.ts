import type { StatusOutcome } from '../common/status-webhook.js';
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
  deliveries: [delivery: number, attempt: number, outcome: StatusOutcome][];
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
  [Name in keyof Payloads]: (payload: Payloads[Name], stopping: AbortSignal) => Promise<void>;
};

/**
 * SQL that adds an expand job. Its flag is its lane: what is critical does not wait behind what is not.
 * `priority` is SQL for a priority's name, `occurrences` for a JSON array.
 */
export const addExpandJob = (occurrences: string, priority: string, runAt: string) =>
  `graphile_worker.add_job('${Task.Expand}', json_build_object('occurrences', ${occurrences}), run_at => ${runAt},
    priority => ${jobPrioritySql(priority)}, flags => array[case ${priority} when 'critical' then 'expand:critical' else 'expand' end])`;

type SqlOf<Payload> = { [Name in keyof Payload]: string };

/**
 * SQL that adds the deliver job of a chunk, from SQL for each part of its payload. By its key it takes the place of the job
 * that asks for it, should that one run again. Its flag, channel and priority, is its lane.
 */
export function addDeliverJob(payload: SqlOf<DeliverPayload>, runAt = 'now()'): string {
  const { occurrence, notification, channel, after, last, template, lot, priority } = payload;
  const key = [occurrence, notification, channel, after, last, template, lot].map((part) => `(${part})::text`);
  return `graphile_worker.add_job('${Task.Deliver}',
    json_build_object('occurrence', ${occurrence}, 'notification', ${notification}, 'channel', ${channel},
      'after', ${after}, 'last', ${last}, 'template', ${template}, 'lot', ${lot}, 'priority', ${priority}),
    run_at => ${runAt}, priority => ${jobPrioritySql(priority)}, job_key => concat_ws(':', ${key.join(', ')}),
    flags => array[concat(${priority}, ':', ${channel})])`;
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
