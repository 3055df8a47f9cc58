import { jobPrioritySql } from './priority.js';
import type { Priority } from './priority.js';
import { Task, taskId } from './task.js';
import type { DeliverPayload, SqlOf } from './task.js';

/** The SQL type of each part of a deliver job's payload. This order is the order of parameters and of the parts of the key. */
const TYPES: SqlOf<DeliverPayload> = {
  occurrence: 'uuid',
  notification: 'int',
  channel: 'int',
  after: 'int',
  last: 'int',
  template: 'int',
  lot: 'bigint',
  priority: 'text',
};

const PARTS = Object.keys(TYPES) as (keyof DeliverPayload)[];

/** The parts that say which deliveries a job sends. They make up its key. */
const RANGE = PARTS.filter((part) => part !== 'priority');

/** SQL for each part of a payload; `template` and `lot` are null when they are left out. */
export type DeliverJobSql = Omit<SqlOf<DeliverPayload>, 'template' | 'lot'> & { template?: string; lot?: string };

const eachPart = (sql: (part: keyof DeliverPayload, index: number) => string) =>
  Object.fromEntries(PARTS.map((part, index) => [part, sql(part, index)])) as SqlOf<DeliverPayload>;

/** Every part as a parameter: `$1` to `$7` are the range, `$8` is the priority. */
export const JOB_FROM_PARAMETERS = eachPart((part, index) => `$${index + 1}::${TYPES[part]}`);

/** Every part from a stored payload, in a column named `payload`. */
export const JOB_FROM_PAYLOAD = eachPart((part) => `(payload->>'${part}')::${TYPES[part]}`);

/** The parts of a job for deliveries that are grouped by target and lot. */
export const JOB_OF_GROUP = {
  notification: 'notification_id',
  channel: 'channel_id',
  after: 'min(user_id) - 1',
  last: 'max(user_id)',
  lot: 'lot',
};

/** The values of `$1` to `$7`. */
export const rangeValues = (payload: DeliverPayload) => RANGE.map((part) => payload[part]);

/** The values of `$1` to `$3`: occurrence, notification and channel. */
export const targetValues = (payload: DeliverPayload) => rangeValues(payload).slice(0, 3);

/** A condition that selects the deliveries of a job from `table`. */
export const inRange = (table: string, { occurrence, notification, channel, after, last }: DeliverJobSql) =>
  `${table}.occurrence_id = ${occurrence} and ${table}.notification_id = ${notification} and ${table}.channel_id = ${channel}
      and ${table}.user_id > ${after} and ${table}.user_id <= ${last}`;

/** A number for the deliveries that one statement makes pending together: only their own job sends them. */
export const LOT = 'pg_current_xact_id()::text::bigint';

/** The lane of a deliver job. */
export const deliverLane = (priority: Priority, channel: number) => `${priority}:${channel}`;

function jobColumns(job: DeliverJobSql) {
  const sql = eachPart((part) => job[part] ?? `null::${TYPES[part]}`);
  return {
    payload: `json_build_object(${PARTS.map((part) => `'${part}', ${sql[part]}`).join(', ')})`,
    priority: jobPrioritySql(sql.priority),
    key: `concat_ws(':', ${RANGE.map((part) => `(${sql[part]})::text`).join(', ')})`,
    lane: `concat(${sql.priority}, ':', ${sql.channel})`,
  };
}

/**
 * SQL that adds the deliver job of a chunk. If a running job adds a job with its own key, the new job replaces it: the running job is not
 * retried.
 * The job's flag is its lane: channel and priority.
 */
export function addDeliverJob(job: DeliverJobSql, runAt = 'now()'): string {
  const { payload, priority, key, lane } = jobColumns(job);
  return `graphile_worker.add_job('${Task.Deliver}', ${payload},
    run_at => ${runAt}, priority => ${priority}, job_key => ${key}, flags => array[${lane}])`;
}

/**
 * A statement that inserts the same job, already locked by a worker, and returns its id. `worker` is SQL for the id of the worker.
 * It does not call `add_job`, which costs 0.5 ms and wakes all workers, and whose NOTIFY makes commits wait for one another.
 */
export function insertLockedDeliverJob(job: DeliverJobSql, worker: string, from: string, where: string): string {
  const { payload, priority, key, lane } = jobColumns(job);
  return `
    insert into graphile_worker._private_jobs (task_id, payload, priority, key, flags, attempts, locked_at, locked_by)
    select ${taskId(Task.Deliver)}, ${payload}, ${priority}, ${key}, jsonb_build_object(${lane}, true), 1, now(), ${worker}
    from ${from} where ${where}
    on conflict (key) do nothing
    returning id`;
}
