import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { COMPLETE } from './job.sql.js';

const GATHER_MS = 25;
const RETRY_MS = 250;

/** A statement that ends many jobs which leave something undone. `$1`: the jobs, `$2`: the worker, `$3`: the job of each row, then the columns of the rows. */
export interface EndWithRemainder {
  text: string;
  /** What this job leaves undone. */
  rows: unknown[][];
}

interface Ended {
  job: string;
  rest?: EndWithRemainder;
}

/**
 * Writes what becomes of jobs. Jobs that end within the same 25 ms are written with one statement: nobody waits for it. When a provider stops
 * answering, hundreds of jobs end with a rest at once. Written one by one, they delayed the jobs of other organizations by more than a second.
 */
export class Completions {
  private readonly ended: Ended[] = [];
  private completing: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly worker: string,
    private readonly stopping: AbortSignal,
    private readonly logger: Logger,
    /** Called when a job is written and is no longer ours. */
    private readonly onWritten: (jobs: string[]) => void,
  ) {}

  /** The job has ended. */
  add(job: string, rest?: EndWithRemainder): void {
    this.ended.push({ job, rest });
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
    while (this.ended.length > 0) {
      await sleep(GATHER_MS, undefined, { signal: this.stopping }).catch(() => undefined);
      for (const [text, ended] of byStatement(this.ended.splice(0))) {
        const jobs = ended.map(({ job }) => job);
        const values = [jobs, this.worker, ...restColumns(ended)];
        await this.retry(() =>
          this.pool.query({ name: text === COMPLETE ? 'complete-jobs' : undefined, text, values }),
        );
        this.onWritten(jobs);
      }
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

function byStatement(ended: Ended[]): Map<string, Ended[]> {
  const statements = new Map<string, Ended[]>();
  for (const one of ended) {
    const text = one.rest?.text ?? COMPLETE;
    const others = statements.get(text);
    if (others) others.push(one);
    else statements.set(text, [one]);
  }
  return statements;
}

/** The rows of all jobs as columns, the job first; none if they have no rest. */
function restColumns(ended: Ended[]): unknown[][] {
  const rows = ended.flatMap(({ job, rest }) => (rest?.rows ?? []).map((row) => [job, ...row]));
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}
