import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '../../platform/http/problem.js';
import type { TenantLimiter } from '../../platform/tenant-limiter.js';
import type { EventStream } from '../../platform/http/stream/event-stream.js';
import { ProgressWatcher } from './progress-watcher.js';
import { isDone } from './progress.dto.js';
import type { ProgressDto } from './progress.dto.js';

const MIN_PAUSE_MS = 500;

/** The polls of all organizations count as those of one. */
const ALL = 0;

/** The pause is at least ten times as long as the query took: counting a million deliveries is expensive. */
export const pauseMs = (tookMs: number) => Math.max(MIN_PAUSE_MS, 10 * tookMs);

/** Polls the progress of one occurrence for all its watchers, until the last one leaves. */
export class ProgressPoll {
  private readonly watchers = new Map<EventStream, ProgressWatcher>();
  private readonly idle = new AbortController();
  private references = 0;
  private tookMs = 0;
  private latest: Promise<ProgressDto | null> | undefined;

  /** All polls share the limit `queries`, so that together they leave capacity of the database to others. */
  constructor(
    private readonly load: () => Promise<ProgressDto | null>,
    private readonly queries: TenantLimiter<typeof ALL>,
    whenIdle: () => void,
  ) {
    this.idle.signal.addEventListener('abort', whenIdle, { once: true });
  }

  /** Opens the stream when the first progress is loaded. */
  async watch(open: () => EventStream): Promise<void> {
    this.references++;
    try {
      const progress = await (this.latest ??= this.start());
      if (!progress) throw notFound('occurrence');
      const stream = open();
      const watcher = new ProgressWatcher(stream);
      this.references++;
      this.watchers.set(stream, watcher);
      stream.whenClosed(() => {
        this.watchers.delete(stream);
        this.leave();
      });
      watcher.show(progress);
    } finally {
      this.leave();
    }
  }

  private leave(): void {
    if (--this.references === 0) this.idle.abort();
  }

  private async start(): Promise<ProgressDto | null> {
    const progress = await this.query();
    if (progress && !isDone(progress)) void this.run(progress);
    return progress;
  }

  private async run(first: ProgressDto): Promise<void> {
    const { signal } = this.idle;
    for (let before: ProgressDto | null = first; before && !isDone(before);) {
      await sleep(pauseMs(this.tookMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const now: ProgressDto | null = await this.query().catch(() => before); // the database may be unreachable for a while
      if (JSON.stringify(now) !== JSON.stringify(before)) this.show(now);
      before = now;
    }
  }

  private show(progress: ProgressDto | null): void {
    this.latest = Promise.resolve(progress);
    for (const [stream, watcher] of this.watchers) {
      if (progress) watcher.show(progress);
      else stream.end();
    }
  }

  private query(): Promise<ProgressDto | null> {
    return this.queries.run(ALL, async () => {
      if (this.idle.signal.aborted) return null;
      const start = performance.now();
      try {
        return await this.load();
      } finally {
        this.tookMs = performance.now() - start;
      }
    });
  }
}
