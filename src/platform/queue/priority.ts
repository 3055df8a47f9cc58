export const PRIORITIES = ['critical', 'normal', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

const JOB_PRIORITY: Record<Priority, number> = { critical: -10, normal: 0, bulk: 10 };

/** The priority of a job that runs after every message. */
export const LAST_JOB_PRIORITY = 20;

/** Every priority that a job may have. */
export const JOB_PRIORITIES = [...Object.values(JOB_PRIORITY), LAST_JOB_PRIORITY];

/** Jobs with a lower number run first. */
export function jobPriority(priority: Priority = 'normal'): number {
  return JOB_PRIORITY[priority];
}

/** The same in SQL, for the name of a priority. */
export const jobPrioritySql = (name: string) =>
  `case ${name} when 'critical' then ${JOB_PRIORITY.critical} when 'bulk' then ${JOB_PRIORITY.bulk} else ${JOB_PRIORITY.normal} end`;

/** An occurrence with at least this number of users is sent as `bulk`, unless its trigger named a priority. */
export const BULK_FROM = 1000;

/** The priority of the job that expands an occurrence `o`. */
export const EXPAND_PRIORITY = `coalesce(o.options->>'priority', case when (o.checkpoint->>'people')::int >= ${BULK_FROM} then 'bulk' end, 'normal')`;
