import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { createPool } from '../database/connection/open-session.js';
import { Notice } from '../database/notice.js';
import { PLANNER_SETTINGS } from '../database/planner-settings.js';
import { surviveLostConnections } from '../database/survive-lost-connections.js';
import { Completions } from './completions.js';
import type { EndWithRemainder } from './completions.js';
import { JobFetcher } from './job-fetcher.js';
import { DEAD_WORKERS, FAIL, FREE_UNKNOWN, MAKE_READY, PAUSE, PUT_BACK, RECOVER, TAKE } from './job.sql.js';
import { WorkerSession } from './worker-session.js';
import { Capacity } from './capacity.js';
import { Task } from './task.js';
import type { Job, Remainder, TaskFunctions } from './task.js';

const RECOVER_MS = 2000;
/** A job that nobody announced is found within this time. */
const POLL_MS = 1000;
/** How precisely scheduled jobs are on time. */
const SCHEDULE_MS = 200;
const MAX_DUE = 1000;
/** How long a stop waits for running jobs. If a provider answers later, its message is sent again. */
const STOP_MS = 15_000;

/** Jobs of a lane and of an organization that run at the same time in one process, one by one. */
const SLOTS = 20;
export const SLOTS_PER_LANE = 8;
const SLOTS_PER_ORGANIZATION = 12;

/** Occurrences that a process expands and sends at the same time, and those of one organization. With twice as many it sends more slowly. */
const OCCURRENCES = 500;
const OCCURRENCES_PER_ORGANIZATION = 250;
const MAX_EXPAND_JOBS = 400;
const GATHER_MS = 20;

/** A job that was taken this often, and failed or killed its worker each time, is given up. */
export const MAX_ATTEMPTS = 25;

/**
 * After a restart or a failover of PostgreSQL every worker needs time to take its lock again. So a worker that has just done so itself
 * gives the others this time. It is counted from our own lock: nothing on the server says when it was promoted. The time that it started,
 * `pg_postmaster_start_time()`, is that of the standby before. Another worker may notice a silent server 4.5 s after us, or wait 5 s for a
 * connection to it. With the two looks of `recover` it has 7 s.
 */
const GRACE_MS = 5000;

const CONNECTIONS = 4;

/** What a task needs that runs many jobs together. */
export interface ExpandContext {
  worker: string;
  stopping: AbortSignal;
  /** Must be called once for each job, at its end. `rest` is what the job leaves undone, with the statement that ends such jobs. */
  done: (job: Job, rest?: EndWithRemainder) => void;
}

/** What a worker runs. */
export interface WorkerTasks {
  one: TaskFunctions;
  /** Resolves when the next jobs may come. */
  expand: (jobs: Job<'expand'>[], context: ExpandContext) => Promise<void>;
  /** Called for a job without attempts left; it may be called twice. */
  giveUp: (job: Job) => Promise<void>;
}

/** Takes and runs jobs until it is stopped. Recovers the jobs of workers that died. */
export class Worker {
  /** The number that jobs of this worker carry. */
  readonly id = randomBytes(8).readBigInt64BE().toString();
  private readonly logger = new Logger('Worker');
  private readonly stopping = new AbortController();
  private readonly pool: Pool;
  private readonly presence: WorkerSession;
  private readonly completions: Completions;
  private readonly intakes: Record<'expand' | 'others', JobFetcher>;
  /** The jobs that this worker knows to be its own. */
  private readonly held = new Set<string>();
  private readonly running = new Set<Promise<void>>();
  private loops: Promise<void>[] = [];

  constructor(
    connectionString: string,
    private readonly tasks: WorkerTasks,
  ) {
    this.pool = createPool(connectionString, CONNECTIONS, {
      kind: 'queue',
      name: 'carillon queue',
      // After a crash, PostgreSQL may not know that a job was taken or completed. The job then runs again and finds nothing to do.
      settings: `${PLANNER_SETTINGS}; set synchronous_commit = off`,
    });
    surviveLostConnections(this.pool, this.logger);
    const { signal: stopping } = this.stopping;
    // Every job that waits listens to this signal. Node warns of more than ten listeners.
    setMaxListeners(0, stopping);
    const shared = { pool: this.pool, worker: this.id, stopping };
    this.presence = new WorkerSession(connectionString, this.id, (kind) => this.wake(kind));
    this.completions = new Completions(this.pool, this.id, stopping, this.logger, (jobs) => this.forget(jobs));
    this.intakes = {
      expand: new JobFetcher({
        ...shared,
        statement: TAKE.expand,
        room: new Capacity(OCCURRENCES, null, OCCURRENCES_PER_ORGANIZATION),
        maxJobs: MAX_EXPAND_JOBS,
        gatherMs: GATHER_MS,
        start: (jobs) => this.expand(jobs as Job<'expand'>[]),
        maxStarts: 2,
      }),
      others: new JobFetcher({
        ...shared,
        statement: TAKE.others,
        room: new Capacity(SLOTS, SLOTS_PER_LANE, SLOTS_PER_ORGANIZATION),
        maxJobs: SLOTS,
        gatherMs: 0,
        start: (jobs) => Promise.resolve(jobs.forEach((job) => this.runOne(job))),
        maxStarts: 1,
      }),
    };
  }

  async start(): Promise<void> {
    await this.presence.open();
    this.loops = [
      this.every(POLL_MS, () => Promise.resolve(this.wakeAll())),
      this.every(SCHEDULE_MS, () => this.makeReady()),
      this.keepRecovering(),
    ];
  }

  /** Waits until running jobs have ended or put back the rest of their work. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.drained(), sleep(STOP_MS, undefined, { ref: false })]);
    await this.presence.close();
    // A job that still waits for its provider holds a connection. Another worker recovers the job, as after a kill.
    await Promise.race([this.pool.end(), sleep(1000, undefined, { ref: false })]);
  }

  private async drained(): Promise<void> {
    await Promise.all([...this.loops, this.intakes.expand.idle(), this.intakes.others.idle()]);
    while (this.running.size > 0) await Promise.all(this.running);
    await this.completions.drained();
  }

  private wake(kind: string): void {
    if (kind === Notice.Jobs.expand || kind === Notice.Jobs.others) this.intakes[kind].wake();
  }

  private wakeAll(): void {
    this.wake(Notice.Jobs.expand);
    this.wake(Notice.Jobs.others);
  }

  private forget(jobs: string[]): void {
    for (const job of jobs) this.held.delete(job);
  }

  private track(work: Promise<void>): void {
    const running: Promise<void> = work.finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Resolves when the jobs are expanded; their messages may still be on the way. */
  private async expand(jobs: Job<'expand'>[]): Promise<void> {
    const open = new Set<Job>(jobs);
    let end = (): void => undefined;
    this.track(new Promise((resolve) => (end = resolve)));
    for (const { id } of jobs) this.held.add(id);
    const leave = (job: Job): void => {
      open.delete(job);
      this.intakes.expand.left(job);
      if (open.size === 0) end();
    };
    const done: ExpandContext['done'] = (job, rest) => {
      this.completions.add(job.id, rest);
      leave(job);
    };
    try {
      await this.tasks.expand(jobs, { worker: this.id, stopping: this.stopping.signal, done });
    } catch (error) {
      const { message } = error as Error;
      this.logger.warn({ message: 'jobs failed', task: Task.Expand, error: message });
      for (const job of [...open]) {
        this.track(this.completions.write(job.id, FAIL, [message]));
        leave(job);
      }
    }
  }

  private runOne(job: Job): void {
    this.held.add(job.id);
    this.track(this.run(job).finally(() => this.intakes.others.left(job)));
  }

  private async run(job: Job): Promise<void> {
    const { id, task, payload, attempts } = job;
    try {
      if (attempts > MAX_ATTEMPTS) {
        await this.tasks.giveUp(job);
        this.logger.warn({ message: 'job gave up after its last attempt', task });
        return this.completions.add(id);
      }
      const work = this.tasks.one[task as keyof TaskFunctions] as (
        payload: unknown,
        stopping: AbortSignal,
      ) => Promise<Remainder<unknown> | undefined>;
      const rest = await work(payload, this.stopping.signal);
      if (!rest) return this.completions.add(id);
      await this.keep(id, rest);
    } catch (error) {
      const { message } = error as Error;
      this.logger.warn({ message: 'job failed', task, attempt: attempts, error: message });
      await this.completions.write(id, FAIL, [message]);
    }
  }

  /** Puts back what is left of a job. */
  private async keep(id: string, rest: Remainder<unknown>): Promise<void> {
    if ('off' in rest) return this.completions.write(id, PAUSE, rest.off);
    const payload = rest.payload === undefined ? null : JSON.stringify(rest.payload);
    await this.completions.write(id, PUT_BACK, [Math.ceil(rest.waitMs), payload]);
    if (rest.waitMs <= 0) this.wake(Notice.Jobs.others);
  }

  private async every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await work().catch((error: Error) => {
        if (!signal.aborted) this.logger.warn({ message: 'queue interrupted, will retry', error: error.message });
      });
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  private async makeReady(): Promise<void> {
    await this.pool.query({ name: 'make-ready', text: MAKE_READY, values: [MAX_DUE] });
  }

  private async keepRecovering(): Promise<void> {
    let suspects = new Set<string>();
    await this.every(RECOVER_MS, async () => {
      // Without our lock we would recover our own running jobs.
      suspects = (await this.presence.heldMs()) > GRACE_MS ? await this.recover(suspects) : new Set();
      await this.pool.query(FREE_UNKNOWN, [this.id, [...this.held]]);
    });
  }

  /** Recovers the jobs of workers found dead twice in a row: a worker that has just lost its session is about to take its lock again. */
  private async recover(suspects: Set<string>): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ worker: string }>(DEAD_WORKERS);
    const dead = rows.map(({ worker }) => worker);
    const certain = dead.filter((worker) => suspects.has(worker));
    if (certain.length > 0) await this.pool.query(RECOVER, [certain]);
    return new Set(dead);
  }
}
