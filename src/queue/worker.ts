import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as NestLogger } from '@nestjs/common';
import { Logger, run } from 'graphile-worker';
import type { JobHelpers, Runner, TaskList, WorkerEvents } from 'graphile-worker';
import { Client, Pool } from 'pg';
import { Notice } from '../prisma/notice.js';
import { onConnect } from '../prisma/on-connect.js';
import { surviveLostConnections } from '../prisma/survive-lost-connections.js';
import { JobFetcher } from './job-fetcher.js';
import { Lanes } from './lanes.js';
import { Slots } from './slots.js';
import { EXPAND_LANES, Task } from './task.js';
import type { ExpandPayload, Payloads, TaskFunctions } from './task.js';

const RECOVER_MS = 2000;
const RESTART_MS = 1000;
const LOCK_ANSWER_MS = 3000;
/** How long a stop waits for running jobs. If a provider answers later, its message is sent again. */
const STOP_MS = 15_000;

/**
 * When graphile-worker cannot complete a job it shuts down, and waits for its running jobs. A job that hangs must not delay all
 * others: after this time the worker continues without it.
 */
const END_MS = 10_000;

/** Jobs that graphile-worker runs at the same time in one process, and in one lane. */
const SLOTS = 20;
export const SLOTS_PER_LANE = 8;
/** When to retry a job that was fetched just after its lane reached its limit. */
const LANE_RETRY_MS = 200;

/** graphile-worker's own connections: one listens, the others fetch and complete jobs. */
const CONNECTIONS = 4;

// graphile-worker keeps the jobs of a killed worker locked for four hours. But a live worker holds an advisory lock on its id, so a
// worker whose lock is free is dead. The 5 seconds give a worker time to take its lock when it has just started, or has just lost its
// session in a restart of PostgreSQL.
export const DEAD_WORKERS = `
  select locked_by id
  from (
    select distinct locked_by from graphile_worker._private_jobs
    where locked_by is not null and locked_at < now() - interval '5 seconds'
      and pg_postmaster_start_time() < now() - interval '5 seconds'
  ) holders
  where pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))`;

const UNLOCK = 'select graphile_worker.force_unlock_workers($1)';

// Jobs without attempts left: each attempt failed, or its worker was killed. A deliver job without a key has been replaced.
export const EXHAUSTED = `
  select j.id, t.identifier task, j.payload, j.key from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  where j.attempts >= j.max_attempts and j.locked_at is null limit 100`;

const COMPLETE = 'select graphile_worker.complete_jobs($1)';

/** Fetches and runs jobs until it is stopped. Recovers the jobs of workers that died. */
export class Worker {
  private readonly logger = new NestLogger('Worker');
  private readonly stopping = new AbortController();
  private readonly pool: Pool;
  private readonly ids = new Set<string>();
  private readonly lanes = new Lanes(SLOTS, SLOTS_PER_LANE);
  private readonly slots: Slots;
  private readonly fetchers: ReadonlyMap<string, JobFetcher<ExpandPayload>>;
  private lockSession: Client | undefined;
  private runner: Runner | undefined;
  private running: Promise<unknown>[] = [];

  constructor(
    private readonly connectionString: string,
    private readonly tasks: TaskFunctions,
    /** Called for a job without attempts left; it may be called twice. */
    private readonly onExhausted: (task: string, payload: unknown) => Promise<void>,
    private readonly endMs = END_MS,
  ) {
    this.pool = new Pool({
      connectionString,
      max: CONNECTIONS,
      application_name: 'carillon queue',
      // After a crash, PostgreSQL may not know that a job was fetched or completed. The job then runs again and finds nothing to do.
      onConnect: onConnect('set synchronous_commit = off'),
    });
    surviveLostConnections(this.pool, this.logger);
    this.slots = new Slots(this.pool, this.stopping.signal, this.logger);
    this.fetchers = new Map(Object.values(EXPAND_LANES).map((lane) => [lane, this.fetcher(lane)]));
  }

  async start(): Promise<void> {
    await this.holdLock();
    this.running = [this.keepRunning(), this.keepRecovering()];
  }

  /** Waits until running jobs have ended or requeued the rest of their work. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const fetched = Promise.all([...this.fetchers.values()].map((fetcher) => fetcher.idle()));
    const drained = fetched.then(() => this.slots.drained());
    const ended = Promise.all([this.runner?.stop().catch(() => undefined), ...this.running, drained]);
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
    await this.lockSession?.end().catch(() => undefined);
    // A job that still waits for its provider holds a connection. Another worker recovers the job, as after a kill.
    await Promise.race([this.pool.end(), sleep(1000, undefined, { ref: false })]);
  }

  private fetcher(lane: string): JobFetcher<ExpandPayload> {
    return new JobFetcher(this.pool, this.slots, lane, (payload, stopping) =>
      this.tasks[Task.Expand](payload, stopping, this.slots),
    );
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** graphile-worker ends when it cannot write to the database; we start it again. */
  private async keepRunning(): Promise<void> {
    while (!this.stopped) {
      const events = this.events();
      try {
        this.runner = await run({
          pgPool: this.pool,
          concurrency: SLOTS,
          forbiddenFlags: () => this.lanes.atLimit(),
          noHandleSignals: true,
          // Without a batch delay graphile-worker notices that it could not complete a job, and shuts down. With a delay it would
          // forget the job, which would stay locked for hours.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
          pollInterval: 1000,
          taskList: this.taskList(),
          events,
          logger: new Logger(() => (level, message) => {
            if (level === 'error') this.logger.warn({ message: 'queue error', error: message });
          }),
        });
        if (this.stopped) await this.runner.stop().catch(() => undefined);
        await Promise.race([this.runner.promise, this.shutdownTimeout(events)]);
      } catch (error) {
        this.logger.warn({ message: 'queue interrupted, will restart', error: (error as Error).message });
      }
      await this.unlockAll();
      if (!this.stopped) await sleep(RESTART_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Resolves when graphile-worker has taken too long to shut down. */
  private async shutdownTimeout(events: WorkerEvents): Promise<void> {
    this.runner?.promise.catch(() => undefined); // it may still reject later, when nobody awaits it
    await once(events, 'pool:gracefulShutdown');
    await sleep(this.endMs, undefined, { ref: false });
    if (!this.stopped) this.logger.warn({ message: 'queue restarts without a job that did not end in time' });
  }

  private taskList(): TaskList {
    const task =
      <Name extends keyof Payloads>(name: Name) =>
      (payload: unknown, helpers: JobHelpers) =>
        this.runInLane(name, payload as Payloads[Name], helpers);
    return Object.fromEntries(Object.values(Task).map((name) => [name, task(name)]));
  }

  private async runInLane<Name extends keyof Payloads>(
    name: Name,
    payload: Payloads[Name],
    { job, addJob }: JobHelpers,
  ): Promise<void> {
    const [lane] = Object.keys(job.flags ?? {});
    if (lane === undefined) return this.tasks[name](payload, this.stopping.signal, this.slots);
    // Several slots asked for a job at the same moment, and all got one of this lane.
    if (!this.lanes.enter(lane)) {
      const { key, priority } = job;
      const runAt = new Date(Date.now() + LANE_RETRY_MS);
      const maxAttempts = job.max_attempts - job.attempts + 1;
      await addJob(name as string, payload, { runAt, priority, maxAttempts, flags: [lane], jobKey: key ?? undefined });
      return;
    }
    try {
      await this.tasks[name](payload, this.stopping.signal, this.slots);
    } finally {
      this.lanes.leave(lane);
    }
  }

  private events(): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => void this.lockId(workerPool.id));
    events.on('job:error', ({ job, error }) => {
      this.logger.warn({
        message: 'job failed',
        task: job.task_identifier,
        attempt: job.attempts,
        error: (error as Error).message,
      });
    });
    return events;
  }

  private async lockId(id: string): Promise<void> {
    this.ids.add(id);
    await this.lockSession?.query('select pg_advisory_lock(hashtextextended($1, 0))', [id]).catch(() => undefined);
    if (this.ids.has(id)) this.slots.worker = id;
  }

  /** Frees the jobs of the graphile-worker that ended, for other workers and for its successor in this process. */
  private async unlockAll(): Promise<void> {
    this.ids.clear();
    this.slots.worker = undefined;
    await this.lockSession?.query('select pg_advisory_unlock_all()').catch(() => undefined);
  }

  /**
   * A separate session holds the advisory locks and listens for expand jobs. When the session is lost, a new one takes the locks
   * again before other workers recover our jobs.
   */
  private async holdLock(): Promise<void> {
    const client = new Client({
      connectionString: this.connectionString,
      application_name: 'carillon queue lock',
      keepAlive: true,
    });
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.fetchers.get(payload)?.notify());
    try {
      await client.connect();
      await client.query(`listen ${Notice.Expand}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => void this.holdLockAgain());
    this.lockSession = client;
    for (const id of this.ids) await this.lockId(id);
  }

  private async holdLockAgain(): Promise<void> {
    while (!this.stopped) {
      try {
        return await this.holdLock();
      } catch {
        await sleep(200);
      }
    }
  }

  /**
   * Whether our session still holds our locks. A firewall may drop a session silently, so this sends it a query: otherwise other
   * workers could recover jobs that we still run.
   */
  private async checkLock(): Promise<boolean> {
    const lock = this.lockSession;
    const silent = sleep(LOCK_ANSWER_MS, 'silent', { ref: false });
    const answer = await Promise.race([
      lock
        ?.query('select 1')
        .then(() => 'held')
        .catch(() => 'gone'),
      silent,
    ]);
    if (answer !== 'silent' || this.lockSession !== lock) return answer === 'held' && this.lockSession === lock;
    lock
      ?.removeAllListeners('end')
      .end()
      .catch(() => undefined);
    await this.holdLockAgain();
    return false;
  }

  private async keepRecovering(): Promise<void> {
    let suspects = new Set<string>();
    while (!this.stopped) {
      try {
        // Without our locks we would recover our own running jobs.
        suspects = (await this.checkLock()) ? await this.recover(suspects) : new Set();
        await this.giveUpExhausted();
      } catch (error) {
        this.logger.warn({ message: 'could not recover jobs of dead workers', error: (error as Error).message });
      }
      await sleep(RECOVER_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Unlocks the jobs of workers found dead twice in a row: a worker that has just lost its session is about to take its lock again. */
  private async recover(suspects: Set<string>): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ id: string }>(DEAD_WORKERS);
    const dead = rows.map(({ id }) => id);
    const certain = dead.filter((id) => suspects.has(id));
    if (certain.length > 0) await this.pool.query(UNLOCK, [certain]);
    return new Set(dead);
  }

  private async giveUpExhausted(): Promise<void> {
    const { rows } = await this.pool.query<{ id: string; task: string; payload: unknown; key: string | null }>(
      EXHAUSTED,
    );
    for (const { id, task, payload, key } of rows) {
      if (key !== null || task === Task.Expand) {
        await this.onExhausted(task, payload);
        this.logger.warn({ message: 'job gave up after its last attempt', task });
      }
      await this.pool.query(COMPLETE, [[id]]);
    }
  }
}
