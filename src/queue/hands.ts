import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { Lanes } from './lanes.js';

/** Jobs in hand at once, and how many of them in one lane; what comes beyond that takes the way through the queue. */
const PLACES = 128;
const PLACES_PER_LANE = 32;
/** So long is a place waited for in a lane where one became free just now. */
const PATIENCE_MS = 100;
const FINISH_MS = 25;
const RETRY_MS = 250;

const COMPLETE = `delete from graphile_worker._private_jobs where id = any($1::bigint[]) and locked_by = $2`;

/** As graphile-worker has it when a job fails. */
const FAIL = `
  update graphile_worker._private_jobs
  set locked_at = null, locked_by = null, last_error = $3, run_at = now() + exp(least(attempts, 10)) * interval '1 second'
  where id = $1 and locked_by = $2`;

/** A place for a job that is about to be made. */
export interface Hand {
  /** Whose lock the job must carry from the start: should this worker die, the job comes back as its others do. */
  readonly worker: string;
  /** Runs the job that was made, and ends it. */
  run(job: string, work: (stopping: AbortSignal) => Promise<void>): void;
  /** None was made. */
  open(): void;
}

/**
 * Jobs that run at once where they are made: they are in the queue, locked by this worker, but need not be fetched from it. To
 * find out, fetch, and finish a job of its own costs PostgreSQL 2 ms, more than all else that is done for one message.
 */
export class Hands {
  /** None while graphile-worker has not started. */
  worker: string | undefined;
  private readonly lanes = new Lanes(PLACES, PLACES_PER_LANE);
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly movedAt = new LRUCache<string, number>({ max: 1000 });
  private readonly running = new Set<Promise<void>>();
  private readonly finished = new Map<string, string[]>();
  private finishing: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly stopping: AbortSignal,
    private readonly logger: Logger,
  ) {}

  /**
   * Null when there is no place: then the job takes the way through the queue, which costs PostgreSQL as much again. Where places
   * become free all the time, that is worth a moment of waiting; where a provider is slow, nobody waits for it.
   */
  async reach(lane: string): Promise<Hand | null> {
    if (this.worker === undefined || this.isStopping) return null;
    if (!this.lanes.enter(lane) && !(await this.placeInTime(lane))) return null;
    const { worker } = this; // only now: it may be another than before we waited
    if (worker === undefined || this.isStopping) {
      this.leave(lane);
      return null;
    }
    return {
      worker,
      run: (job, work) => void this.run(worker, job, work).finally(() => this.leave(lane)),
      open: () => this.leave(lane),
    };
  }

  get isStopping(): boolean {
    return this.stopping.aborted;
  }

  private async placeInTime(lane: string): Promise<boolean> {
    for (const end = Date.now() + PATIENCE_MS; ;) {
      const now = Date.now();
      if (now >= end || now - (this.movedAt.get(lane) ?? 0) > PATIENCE_MS || this.isStopping) return false;
      await this.leaving(lane, end - now);
      if (this.lanes.enter(lane)) return true;
    }
  }

  /** Resolves when a place of the lane became free, and it is our turn to look, or the time is over. */
  private leaving(lane: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.waiting.get(lane) ?? new Set();
      this.waiting.set(lane, waiting);
      const look = () => {
        clearTimeout(timer);
        waiting.delete(look);
        if (waiting.size === 0) this.waiting.delete(lane);
        resolve();
      };
      const timer = setTimeout(look, ms);
      waiting.add(look);
    });
  }

  private leave(lane: string): void {
    this.lanes.leave(lane);
    this.movedAt.set(lane, Date.now());
    const [next] = this.waiting.get(lane) ?? [];
    next?.();
  }

  /** When all that is in hand has ended. */
  async empty(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
    await this.finishing;
  }

  /** Runs a job that this worker has locked, and ends it. */
  run(worker: string, job: string, work: (stopping: AbortSignal) => Promise<void>): Promise<void> {
    const running: Promise<void> = this.runAndEnd(worker, job, work).finally(() => this.running.delete(running));
    this.running.add(running);
    return running;
  }

  private async runAndEnd(worker: string, job: string, work: (stopping: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await work(this.stopping);
    } catch (error) {
      const { message } = error as Error;
      this.logger.warn({ message: 'job failed', job, error: message });
      return this.insist(() => this.pool.query(FAIL, [job, worker, message]));
    }
    const finished = this.finished.get(worker);
    if (finished) finished.push(job);
    else this.finished.set(worker, [job]);
    this.finishing ??= this.finish();
  }

  /** Those that end within a moment are written together: nobody waits for it. */
  private async finish(): Promise<void> {
    await sleep(FINISH_MS, undefined, { signal: this.stopping }).catch(() => undefined);
    for (const [worker, jobs] of this.finished) {
      this.finished.delete(worker);
      await this.insist(() => this.pool.query({ name: 'complete-held', text: COMPLETE, values: [jobs, worker] }));
    }
    this.finishing = undefined;
  }

  /** A job whose end is not written would stay locked for as long as this worker lives. */
  private async insist(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (this.stopping.aborted) return;
        this.logger.warn({ message: 'the end of a job could not be written yet', error: (error as Error).message });
        await sleep(RETRY_MS);
      }
    }
  }
}
