import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as NestLogger } from '@nestjs/common';
import { Logger, run } from 'graphile-worker';
import type { JobHelpers, Runner, TaskList, WorkerEvents } from 'graphile-worker';
import { Client, Pool } from 'pg';
import { Notice } from '../prisma/notice.js';
import { onConnect } from '../prisma/on-connect.js';
import { survive } from '../prisma/survive.js';
import { Hands } from './hands.js';
import { Lanes } from './lanes.js';
import { Taker } from './taker.js';
import { EXPAND_LANES, Task } from './task.js';
import type { ExpandPayload, Payloads, TaskFunctions } from './task.js';

const RECOVER_MS = 2000;
const RESTART_MS = 1000;
const LOCK_ANSWER_MS = 3000;
/** A provider may take its time; then its message repeats, and the process ends all the same. */
const STOP_MS = 15_000;

/**
 * When graphile-worker could not write the end of a job it ends itself, and waits for the jobs it has. One that hangs must not keep all
 * others waiting: after this time it is left behind.
 */
const END_MS = 10_000;

/** Jobs that run at once in one worker process, and how many of them in one lane. */
const PLACES = 20;
export const PLACES_PER_LANE = 8;
/** A job that came when its lane had just become full comes again. */
const FULL_MS = 200;

/** graphile-worker's own connections: one listens, the others fetch and finish jobs. */
const CONNECTIONS = 4;

// A killed worker's jobs stay locked for four hours. But its session is gone, and with it the advisory lock on its id: jobs
// whose worker's lock is free have no worker. The few seconds let a worker that has just started, or that has just lost its
// session with a restart of PostgreSQL, take its lock.
export const DEAD_WORKERS = `
  select locked_by id
  from (
    select distinct locked_by from graphile_worker._private_jobs
    where locked_by is not null and locked_at < now() - interval '5 seconds'
      and pg_postmaster_start_time() < now() - interval '5 seconds'
  ) holders
  where pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))`;

const UNLOCK = 'select graphile_worker.force_unlock_workers($1)';

// Jobs that have no attempt left: they failed, or their worker was killed, at every one. Those without a key were replaced.
export const EXHAUSTED = `
  select j.id, t.identifier task, j.payload, j.key from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  where j.attempts >= j.max_attempts and j.locked_at is null limit 100`;

const FORGET = 'select graphile_worker.complete_jobs($1)';

/** Takes jobs and runs them, until it is stopped; brings back the jobs of workers that died. */
export class Worker {
  private readonly logger = new NestLogger('Worker');
  private readonly stopping = new AbortController();
  private readonly pool: Pool;
  private readonly ids = new Set<string>();
  private readonly lanes = new Lanes(PLACES, PLACES_PER_LANE);
  private readonly hands: Hands;
  private readonly takers: ReadonlyMap<string, Taker<ExpandPayload>>;
  private lock: Client | undefined;
  private runner: Runner | undefined;
  private running: Promise<unknown>[] = [];

  constructor(
    private readonly connectionString: string,
    private readonly tasks: TaskFunctions,
    /** Told of a job that has no attempt left; it may be told twice. */
    private readonly givenUp: (task: string, payload: unknown) => Promise<void>,
    private readonly endMs = END_MS,
  ) {
    this.pool = new Pool({
      connectionString,
      max: CONNECTIONS,
      application_name: 'carillon queue',
      // That a job was taken, or has ended, may be lost in a crash of PostgreSQL: it is done again, and finds nothing to do.
      onConnect: onConnect('set synchronous_commit = off'),
    });
    survive(this.pool, this.logger);
    this.hands = new Hands(this.pool, this.stopping.signal, this.logger);
    this.takers = new Map(Object.values(EXPAND_LANES).map((lane) => [lane, this.taker(lane)]));
  }

  async start(): Promise<void> {
    await this.holdLock();
    this.running = [this.keepRunning(), this.keepRecovering()];
  }

  /** Jobs in hand finish or hand back the rest of their work; then nothing runs any more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const taken = Promise.all([...this.takers.values()].map((taker) => taker.idle()));
    const inHand = taken.then(() => this.hands.empty());
    const ended = Promise.all([this.runner?.stop().catch(() => undefined), ...this.running, inHand]);
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
    await this.lock?.end().catch(() => undefined);
    // A job that is still waiting for its provider holds a connection; it comes back as those of a killed worker do.
    await Promise.race([this.pool.end(), sleep(1000, undefined, { ref: false })]);
  }

  private taker(lane: string): Taker<ExpandPayload> {
    return new Taker(this.pool, this.hands, lane, (payload, stopping) =>
      this.tasks[Task.Expand](payload, stopping, this.hands),
    );
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** graphile-worker gives up when it cannot write to the database; we do not. */
  private async keepRunning(): Promise<void> {
    while (!this.stopped) {
      const events = this.events();
      try {
        this.runner = await run({
          pgPool: this.pool,
          concurrency: PLACES,
          forbiddenFlags: () => this.lanes.full(),
          noHandleSignals: true,
          // Only so does graphile-worker notice that a job's end could not be written, and end itself; a job that it had
          // forgotten about would stay locked for hours.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
          pollInterval: 1000,
          taskList: this.taskList(),
          events,
          logger: new Logger(() => (level, message) => {
            if (level === 'error') this.logger.warn({ message: 'queue', error: message });
          }),
        });
        if (this.stopped) await this.runner.stop().catch(() => undefined);
        await Promise.race([this.runner.promise, this.lingering(events)]);
      } catch (error) {
        this.logger.warn({ message: 'queue interrupted', error: (error as Error).message });
      }
      await this.letGo();
      if (!this.stopped) await sleep(RESTART_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Resolves some time after graphile-worker began to end itself. */
  private async lingering(events: WorkerEvents): Promise<void> {
    this.runner?.promise.catch(() => undefined); // it may still fail when nobody waits for it any more
    await once(events, 'pool:gracefulShutdown');
    await sleep(this.endMs, undefined, { ref: false });
    if (!this.stopped) this.logger.warn({ message: 'queue lingers', error: 'a job did not end in time' });
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
    if (lane === undefined) return this.tasks[name](payload, this.stopping.signal, this.hands);
    // Several places looked for a job at the same moment, and all found one of this lane.
    if (!this.lanes.enter(lane)) {
      const { key, priority } = job;
      const runAt = new Date(Date.now() + FULL_MS);
      const maxAttempts = job.max_attempts - job.attempts + 1;
      await addJob(name as string, payload, { runAt, priority, maxAttempts, flags: [lane], jobKey: key ?? undefined });
      return;
    }
    try {
      await this.tasks[name](payload, this.stopping.signal, this.hands);
    } finally {
      this.lanes.leave(lane);
    }
  }

  private events(): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => void this.take(workerPool.id));
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

  private async take(id: string): Promise<void> {
    this.ids.add(id);
    await this.lock?.query('select pg_advisory_lock(hashtextextended($1, 0))', [id]).catch(() => undefined);
    if (this.ids.has(id)) this.hands.worker = id;
  }

  /** What graphile-worker had in hand when it ended is free for others, and for its successor here. */
  private async letGo(): Promise<void> {
    this.ids.clear();
    this.hands.worker = undefined;
    await this.lock?.query('select pg_advisory_unlock_all()').catch(() => undefined);
  }

  /**
   * A session of its own holds the locks and hears of expand jobs; when it is lost they are taken anew, before anyone takes us for
   * dead.
   */
  private async holdLock(): Promise<void> {
    const client = new Client({
      connectionString: this.connectionString,
      application_name: 'carillon queue lock',
      keepAlive: true,
    });
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.takers.get(payload)?.tell());
    try {
      await client.connect();
      await client.query(`listen ${Notice.Expand}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => void this.holdLockAgain());
    this.lock = client;
    for (const id of this.ids) await this.take(id);
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
   * Whether our own locks are held. A session that a firewall has dropped says nothing: ask it, or others may take us for dead
   * while we believe in it.
   */
  private async checkLock(): Promise<boolean> {
    const { lock } = this;
    const silent = sleep(LOCK_ANSWER_MS, 'silent', { ref: false });
    const answer = await Promise.race([
      lock
        ?.query('select 1')
        .then(() => 'held')
        .catch(() => 'gone'),
      silent,
    ]);
    if (answer !== 'silent' || this.lock !== lock) return answer === 'held' && this.lock === lock;
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
        // Without our own locks we would take ourselves for dead.
        suspects = (await this.checkLock()) ? await this.recover(suspects) : new Set();
        await this.giveUpExhausted();
      } catch (error) {
        this.logger.warn({ message: 'no recovery', error: (error as Error).message });
      }
      await sleep(RECOVER_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Unlocks the jobs of those that were found dead twice in a row: one whose session was just lost is about to lock again. */
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
        await this.givenUp(task, payload);
        this.logger.warn({ message: 'job given up', task });
      }
      await this.pool.query(FORGET, [[id]]);
    }
  }
}
