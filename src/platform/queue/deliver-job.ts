import { insertJobs } from './job.sql.js';
import { jobPrioritySql } from './priority.js';
import { Task } from './task.js';
import type { DeliverPayload, SqlOf } from './task.js';

/** The SQL type of each part of a deliver job's payload. This order is the order of parameters. */
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

/** The parts that say which deliveries a job sends. */
const RANGE = PARTS.filter((part) => part !== 'priority');

/** SQL for each part of a payload; `template` and `lot` are null when they are left out. */
type DeliverJobSql = Omit<SqlOf<DeliverPayload>, 'template' | 'lot'> & { template?: string; lot?: string };

const eachPart = (sql: (part: keyof DeliverPayload, index: number) => string) =>
  Object.fromEntries(PARTS.map((part, index) => [part, sql(part, index)])) as SqlOf<DeliverPayload>;

/** Every part of the range as a parameter: `$1` to `$7`. */
export const RANGE_FROM_PARAMETERS = eachPart((part, index) => `$${index + 1}::${TYPES[part]}`);

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

/** A condition that selects the deliveries of a job that are still to be sent. */
export const inChunk = (table: string, job: SqlOf<DeliverPayload>) =>
  `${inRange(table, job)}
      and ${table}.template_channel_id is not distinct from ${job.template} and ${table}.lot is not distinct from ${job.lot} and ${table}.status = 'pending'`;

/** A number for the deliveries that one statement makes pending together: only their own job sends them. */
export const LOT = 'pg_current_xact_id()::text::bigint';

/** A statement that inserts the deliver jobs of chunks, one for each row of `from`. The lane is channel and priority. */
export function insertDeliverJobs(job: DeliverJobSql, organization: string, from: string, runAt?: string): string {
  const sql = eachPart((part) => job[part] ?? `null::${TYPES[part]}`);
  return insertJobs(
    {
      task: Task.Deliver,
      organization,
      lane: `concat(${sql.priority}, ':', ${sql.channel})`,
      priority: jobPrioritySql(sql.priority),
      payload: `jsonb_build_object(${PARTS.map((part) => `'${part}', ${sql[part]}`).join(', ')})`,
      runAt,
    },
    from,
  );
}
