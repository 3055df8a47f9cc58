import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Task } from '../queue/task.js';

/** How long one answer is reused. */
const FRESH_MS = 3000;
/** The longest wait for the database: when it is slow, the other metrics matter most. */
const TIMEOUT_MS = 2000;

const MAX_COUNT = 10_000;

/**
 * Counts the jobs that are ready, by task. It stops at $2 jobs, so a queue of a million jobs costs no more than that. $1: tasks.
 */
export const QUEUE_DEPTH = `
  select task, count(j.run_at)::int ready, coalesce(extract(epoch from now() - min(j.run_at)), 0)::float8 "ageSeconds"
  from unnest($1::text[]) task
  left join (
    (select task, run_at from jobs where state = 'ready' and task = '${Task.Expand}' limit $2)
    union all
    (select task, run_at from jobs where state = 'ready' and task <> '${Task.Expand}' limit $2)
  ) j using (task)
  group by task`;

/** Channels whose circuit is open. */
const RESTING_CHANNELS = `select count(*)::int resting from channel_states where probe_at is not null`;

/** Organizations that had used 80 % of their storage when it was last measured. */
const NEAR_QUOTA = `select count(*)::int "nearQuota" from organization_usage where is_near_quota`;

/**
 * Occurrences with open steps that ask for an acknowledgement and have none that counts, for each of their notifications. It reads at most $1 jobs, and the
 * notifications of a ruleset once for all its occurrences.
 */
export const UNACKNOWLEDGED = `
  with open as materialized (
    select o.id, o.ruleset_id, j.notification
    from (
      select (payload->>'occurrence')::uuid occurrence, (payload->>'notification')::int notification
      from jobs where task = '${Task.Step}' order by id limit $1
    ) j
    join occurrences o on o.id = j.occurrence
    where o.status = 'expanded' and j.notification = any(o.open_steps)
      and coalesce((o.options->>'expires_at')::timestamptz > now(), true)
  ), asking as materialized (
    select r.ruleset_id, r.notification, (v.rule->'acknowledge'->>'for')::interval lapses_after
    from (select distinct ruleset_id, notification from open) r
    join rulesets s on s.id = r.ruleset_id
    join rule_versions v on v.id = any(s.versions) and (v.rule->>'id')::int = r.notification
    where v.rule->'steps' @> '[{"unless":"acknowledged"}]'
  )
  select count(*)::int unacknowledged from open join asking using (ruleset_id, notification)
  where not exists (select from acknowledgements a where a.occurrence_id = open.id and (a.at + lapses_after > now()) is not false)`;

interface Depth {
  task: string;
  ready: number;
  /** How long the oldest job has been due. */
  ageSeconds: number;
}

interface WaitingJobs {
  depths: Depth[];
  /** Channels that rest; undefined when the database does not answer. */
  resting?: number;
  /** Organizations near their quota; undefined when the database does not answer. */
  nearQuota?: number;
  /** Occurrences that wait for an acknowledgement; undefined when the database does not answer. */
  unacknowledged?: number;
}

const NOTHING: WaitingJobs = { depths: [] };

/** Counts the jobs that wait in the queue, the channels that rest, the organizations near their quota, and what waits for an acknowledgement. It asks PostgreSQL only when someone reads the metrics. */
export class QueueDepth {
  private askedAt = -Infinity;
  private answer: Promise<WaitingJobs> = Promise.resolve(NOTHING);

  constructor(private readonly pool: Pool) {}

  /** Empty when the database does not answer in time. */
  read(): Promise<WaitingJobs> {
    const now = performance.now();
    if (now - this.askedAt > FRESH_MS) {
      this.askedAt = now;
      this.answer = this.ask().catch(() => NOTHING);
    }
    return Promise.race([this.answer, sleep(TIMEOUT_MS, NOTHING, { ref: false })]);
  }

  private async ask(): Promise<WaitingJobs> {
    const values = [Object.values(Task), MAX_COUNT];
    const [depths, resting, nearQuota, unacknowledged] = await Promise.all([
      this.pool.query<Depth>({ name: 'queue-depth', text: QUEUE_DEPTH, values }),
      this.pool.query<{ resting: number }>({ name: 'resting-channels', text: RESTING_CHANNELS }),
      this.pool.query<{ nearQuota: number }>({ name: 'near-quota', text: NEAR_QUOTA }),
      this.pool.query<{ unacknowledged: number }>({
        ...{ name: 'unacknowledged', text: UNACKNOWLEDGED },
        values: [MAX_COUNT],
      }),
    ]);
    return { depths: depths.rows, ...resting.rows[0]!, ...nearQuota.rows[0]!, ...unacknowledged.rows[0]! };
  }
}
