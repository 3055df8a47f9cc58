import type { Pool } from 'pg';
import type { Capacity } from './capacity.js';
import type { Job } from './task.js';

interface JobFetcherOptions {
  pool: Pool;
  statement: { name: string; text: string };
  worker: string;
  room: Capacity;
  /** Jobs to take with one statement. */
  maxJobs: number;
  /** How long to wait after a job has left a full room, so that the next jobs are taken together. */
  gatherMs: number;
  /** Starts jobs that were taken. Resolves when it is ready for the next; never rejects. */
  start: (jobs: Job[]) => Promise<void>;
  /** How many of these starts there may be at a time if jobs wait. Otherwise new jobs gather during a start, and are then taken together. */
  maxStarts: number;
  stopping: AbortSignal;
}

interface TakenRow extends Job {
  /** The place of its priority, and of its lane among those visited. */
  place: number;
  step: number;
  /** How many lanes were visited. */
  lanes: number;
}

/** Takes ready jobs when it is told of new ones and has room for them, many with one statement. */
export class JobFetcher {
  private taking: Promise<void> | undefined;
  private hasNews = false;
  private isGathering = false;
  private readonly starts = new Set<Promise<void>>();
  private cursor: [organization: number, lane: string] = [0, ''];

  constructor(private readonly parts: JobFetcherOptions) {}

  /** There may be new jobs. */
  wake(): void {
    this.hasNews = true;
    this.taking ??= this.take();
  }

  /** A job has ended. Jobs may have waited for its room. */
  left(job: Job): void {
    const { room, gatherMs, stopping } = this.parts;
    const waited = room.isTight;
    room.leave(job);
    if (!waited || this.isGathering || stopping.aborted) return;
    this.isGathering = true;
    setTimeout(() => {
      this.isGathering = false;
      this.wake();
    }, gatherMs);
  }

  /** Resolves when every job that was taken has started. */
  async idle(): Promise<void> {
    await this.taking;
    await Promise.all(this.starts);
  }

  private async take(): Promise<void> {
    // Without a connection nothing is taken. The worker asks again every second.
    await this.takeAll().catch(() => undefined);
    this.taking = undefined;
  }

  private async takeAll(): Promise<void> {
    const { pool, statement, worker, room, maxJobs, maxStarts, start, stopping } = this.parts;
    while (this.hasNews && room.free > 0 && !stopping.aborted) {
      this.hasNews = false;
      const values = [worker, ...this.cursor, maxJobs, ...room.limits(), room.lanesToVisit(maxJobs)];
      const { rows } = await pool.query<TakenRow>({ ...statement, values });
      if (rows.length === 0) continue; // there may have been news meanwhile
      rows.sort((a, b) => a.place - b.place || a.step - b.step || Number(a.id) - Number(b.id));
      const last = rows.at(-1)!;
      this.cursor = [last.organizationId, last.lane];
      const leavesMore = mayLeaveMore(rows, maxJobs);
      this.hasNews ||= leavesMore;
      for (const job of rows) room.enter(job);
      const started: Promise<void> = start(rows).finally(() => this.starts.delete(started));
      this.starts.add(started);
      if (!leavesMore) await Promise.all(this.starts);
      else if (this.starts.size >= maxStarts) await Promise.race(this.starts);
    }
  }
}

/** Whether a lane gave as many jobs as it was asked for, or there were too many lanes to visit. */
function mayLeaveMore(rows: TakenRow[], maxJobs: number): boolean {
  const { lanes } = rows[0]!;
  const share = Math.max(1, Math.floor(maxJobs / lanes));
  const counts = new Map<string, number>();
  for (const { organizationId, lane, place } of rows) {
    const key = `${place} ${organizationId} ${lane}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return rows.length >= maxJobs || [...counts.values()].some((count) => count >= share);
}
