import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { JOB_PRIORITIES } from '../queue/priority.js';
import { Task } from '../queue/task.js';

/** How long one answer is reused. */
const FRESH_MS = 3000;
/** The longest wait for the database: when it is slow, the other metrics matter most. */
const TIMEOUT_MS = 2000;

const MAX_COUNT = 10_000;

/**
 * Counts the jobs that are due and not running, by task. It reads each priority along graphile-worker's own index, oldest first, and
 * stops at $3 jobs, so a queue of a million jobs costs no more than that. $1: tasks, $2: priorities.
 */
export const QUEUE_DEPTH = `
  select task, count(j.run_at)::int ready, coalesce(extract(epoch from now() - min(j.run_at)), 0)::float8 "ageSeconds"
  from unnest($1::text[]) task
  left join graphile_worker._private_tasks t on t.identifier = task
  left join (
    select due.task_id, due.run_at
    from unnest($2::int[]) wanted cross join lateral (
      select task_id, run_at from graphile_worker._private_jobs
      where is_available = true and priority = wanted and run_at <= now()
      order by priority, run_at limit $3
    ) due
  ) j on j.task_id = t.id
  group by task`;

export interface Depth {
  task: string;
  ready: number;
  /** How long the oldest job has been due. */
  ageSeconds: number;
}

/** Counts the jobs that wait in the queue. It asks PostgreSQL only when someone reads the metrics. */
export class QueueDepth {
  private askedAt = -Infinity;
  private answer: Promise<Depth[]> = Promise.resolve([]);

  constructor(private readonly pool: Pool) {}

  /** Empty when the database does not answer in time. */
  read(): Promise<Depth[]> {
    const now = performance.now();
    if (now - this.askedAt > FRESH_MS) {
      this.askedAt = now;
      this.answer = this.ask().catch(() => []);
    }
    return Promise.race([this.answer, sleep(TIMEOUT_MS, [], { ref: false })]);
  }

  private async ask(): Promise<Depth[]> {
    const values = [Object.values(Task), JOB_PRIORITIES, MAX_COUNT];
    const { rows } = await this.pool.query<Depth>({ name: 'queue-depth', text: QUEUE_DEPTH, values });
    return rows;
  }
}
