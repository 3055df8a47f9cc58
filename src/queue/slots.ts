import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { Lanes } from './lanes.js';

/** Slots of one worker, and of one lane in it. A job that gets no slot goes through the queue. */
const SLOTS = 128;
const SLOTS_PER_LANE = 32;
/** How long to wait for a slot in a lane that freed one recently. */
const SLOT_TIMEOUT_MS = 100;
const FINISH_MS = 25;
const RETRY_MS = 250;

const COMPLETE = `delete from graphile_worker._private_jobs where id = any($1::bigint[]) and locked_by = $2`;

/** Does what graphile-worker does when a job fails. */
const FAIL = `
  update graphile_worker._private_jobs
  set locked_at = null, locked_by = null, last_error = $3, run_at = now() + exp(least(attempts, 10)) * interval '1 second'
  where id = $1 and locked_by = $2`;

/** A reserved slot for a job that is about to be inserted. */
export interface Slot {
  /** The worker that must lock the job from the start: should this worker die, the job is recovered like its other jobs. */
  readonly worker: string;
  /** Runs the inserted job and completes it. */
  run(job: string, work: (stopping: AbortSignal) => Promise<void>): void;
  /** Frees the slot: no job was inserted. */
  release(): void;
}

/**
 * Slots for jobs that run at once in the process that inserts them. Such a job is in the queue, locked by this worker, and is never
 * fetched: to announce, fetch and complete a job by itself costs PostgreSQL 2 ms, more than all other work for one message.
 */
export class Slots {
  /** The id of this worker; undefined while graphile-worker has not started. */
  worker: string | undefined;
  private readonly lanes = new Lanes(SLOTS, SLOTS_PER_LANE);
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly freedAt = new LRUCache<string, number>({ max: 1000 });
  private readonly running = new Set<Promise<void>>();
  private readonly finished = new Map<string, string[]>();
  private finishing: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly stopping: AbortSignal,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns null when there is no slot: the job then goes through the queue, which costs PostgreSQL as much again. In a lane that
   * frees slots all the time a short wait is worth it. In a lane with a slow provider nobody waits.
   */
  async tryAcquire(lane: string): Promise<Slot | null> {
    if (this.worker === undefined || this.isStopping) return null;
    if (!this.lanes.enter(lane) && !(await this.enterInTime(lane))) return null;
    const { worker } = this; // read after the wait: the worker may have changed
    if (worker === undefined || this.isStopping) {
      this.leave(lane);
      return null;
    }
    return {
      worker,
      run: (job, work) => void this.run(worker, job, work).finally(() => this.leave(lane)),
      release: () => this.leave(lane),
    };
  }

  get isStopping(): boolean {
    return this.stopping.aborted;
  }

  private async enterInTime(lane: string): Promise<boolean> {
    for (const end = Date.now() + SLOT_TIMEOUT_MS; ;) {
      const now = Date.now();
      if (now >= end || now - (this.freedAt.get(lane) ?? 0) > SLOT_TIMEOUT_MS || this.isStopping) return false;
      await this.slotFreed(lane, end - now);
      if (this.lanes.enter(lane)) return true;
    }
  }

  /** Resolves when the lane frees a slot and this caller is first in line, or when the time is over. */
  private slotFreed(lane: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.waiting.get(lane) ?? new Set();
      this.waiting.set(lane, waiting);
      const proceed = () => {
        clearTimeout(timer);
        waiting.delete(proceed);
        if (waiting.size === 0) this.waiting.delete(lane);
        resolve();
      };
      const timer = setTimeout(proceed, ms);
      waiting.add(proceed);
    });
  }

  private leave(lane: string): void {
    this.lanes.leave(lane);
    this.freedAt.set(lane, Date.now());
    const [next] = this.waiting.get(lane) ?? [];
    next?.();
  }

  /** Resolves when all running jobs have ended. */
  async drained(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
    await this.finishing;
  }

  /** Runs a job that this worker has locked, and completes it. */
  run(worker: string, job: string, work: (stopping: AbortSignal) => Promise<void>): Promise<void> {
    const running: Promise<void> = this.runAndComplete(worker, job, work).finally(() => this.running.delete(running));
    this.running.add(running);
    return running;
  }

  private async runAndComplete(
    worker: string,
    job: string,
    work: (stopping: AbortSignal) => Promise<void>,
  ): Promise<void> {
    try {
      await work(this.stopping);
    } catch (error) {
      const { message } = error as Error;
      this.logger.warn({ message: 'job failed', job, error: message });
      return this.retryWrite(() => this.pool.query(FAIL, [job, worker, message]));
    }
    const finished = this.finished.get(worker);
    if (finished) finished.push(job);
    else this.finished.set(worker, [job]);
    this.finishing ??= this.finish();
  }

  /** Completes jobs that end within the same 25 ms with one statement: nobody waits for it. */
  private async finish(): Promise<void> {
    await sleep(FINISH_MS, undefined, { signal: this.stopping }).catch(() => undefined);
    for (const [worker, jobs] of this.finished) {
      this.finished.delete(worker);
      await this.retryWrite(() => this.pool.query({ name: 'complete-jobs', text: COMPLETE, values: [jobs, worker] }));
    }
    this.finishing = undefined;
  }

  /** Retries until the write succeeds: a job that is not completed stays locked for the life of this worker. */
  private async retryWrite(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (this.stopping.aborted) return;
        this.logger.warn({ message: 'could not complete a job, will retry', error: (error as Error).message });
        await sleep(RETRY_MS);
      }
    }
  }
}
