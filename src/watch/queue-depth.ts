import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { JOB_PRIORITIES } from '../queue/priority.js';
import { Task } from '../queue/task.js';

/** So long one answer serves everyone who asks. */
const FRESH_MS = 3000;
/** Whoever asks waits no longer: when the database is slow, the other figures matter most. */
const PATIENCE_MS = 2000;

const MOST = 10_000;

/**
 * The jobs that are due and that nobody has taken, by task. Each priority is read along graphile-worker's own index, oldest first,
 * and no further than $3: a queue of a million costs no more than that. $1 tasks, $2 priorities.
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
  /** How long the oldest has been due. */
  ageSeconds: number;
}

/** How much waits in the queue, asked of PostgreSQL when somebody wants to know. */
export class QueueDepth {
  private askedAt = -Infinity;
  private answer: Promise<Depth[]> = Promise.resolve([]);

  constructor(private readonly pool: Pool) {}

  /** Empty when the database does not say. */
  read(): Promise<Depth[]> {
    const now = performance.now();
    if (now - this.askedAt > FRESH_MS) {
      this.askedAt = now;
      this.answer = this.ask().catch(() => []);
    }
    return Promise.race([this.answer, sleep(PATIENCE_MS, [], { ref: false })]);
  }

  private async ask(): Promise<Depth[]> {
    const values = [Object.values(Task), JOB_PRIORITIES, MOST];
    const { rows } = await this.pool.query<Depth>({ name: 'queue-depth', text: QUEUE_DEPTH, values });
    return rows;
  }
}
