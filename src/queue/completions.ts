import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { COMPLETE } from './job.sql.js';

const GATHER_MS = 25;
const RETRY_MS = 250;

/** Writes what becomes of jobs. Jobs that are done within the same 25 ms are completed with one statement: nobody waits for it. */
export class Completions {
  private readonly done: string[] = [];
  private completing: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly worker: string,
    private readonly stopping: AbortSignal,
    private readonly logger: Logger,
    /** Called when a job is written and is no longer ours. */
    private readonly onWritten: (jobs: string[]) => void,
  ) {}

  /** The job is done. */
  add(job: string): void {
    this.done.push(job);
    this.completing ??= this.complete();
  }

  /** Writes something else about a job. Retries until it succeeds: the job stays ours until then. */
  async write(job: string, text: string, values: unknown[]): Promise<void> {
    await this.retry(() => this.pool.query(text, [job, this.worker, ...values]));
    this.onWritten([job]);
  }

  async drained(): Promise<void> {
    await this.completing;
  }

  private async complete(): Promise<void> {
    while (this.done.length > 0) {
      await sleep(GATHER_MS, undefined, { signal: this.stopping }).catch(() => undefined);
      const jobs = this.done.splice(0);
      await this.retry(() => this.pool.query({ name: 'complete-jobs', text: COMPLETE, values: [jobs, this.worker] }));
      this.onWritten(jobs);
    }
    this.completing = undefined;
  }

  private async retry(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (this.stopping.aborted) return;
        this.logger.warn({ message: 'could not write the end of a job, will retry', error: (error as Error).message });
        await sleep(RETRY_MS);
      }
    }
  }
}
