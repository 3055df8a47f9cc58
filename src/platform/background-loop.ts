import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';

export interface LoopOptions {
  /** The context of its log lines. */
  name: string;
  /** The message of the log line after a failed round. */
  failure: string;
  /** The pause between two rounds. */
  everyMs: number;
  /** The pause before the first round. */
  firstMs: number;
  /** Whether the shutdown waits for the round under way. */
  isAwaited: boolean;
}

/** Background work of a process: wait, work, log a failure, and continue until the service stops. */
export abstract class BackgroundLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger: Logger;
  /** Aborted when the service stops. A long round checks it between its steps. */
  protected readonly stopping: AbortSignal;
  private readonly controller = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly loop: LoopOptions) {
    this.logger = new Logger(loop.name);
    this.stopping = this.controller.signal;
  }

  onApplicationBootstrap(): void {
    this.running = this.repeat();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.controller.abort();
    if (this.loop.isAwaited) await this.running;
  }

  /** Returns the pause before the next round, if it is not `everyMs`. */
  protected abstract round(): Promise<number | void>;

  private async repeat(): Promise<void> {
    const { firstMs, everyMs, failure } = this.loop;
    for (let pauseMs = firstMs; ;) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: this.stopping, ref: false }).catch(() => undefined);
      if (this.stopping.aborted) return;
      pauseMs = everyMs;
      try {
        pauseMs = (await this.round()) ?? everyMs;
      } catch (error) {
        if (!this.stopping.aborted) this.logger.warn({ message: failure, error: (error as Error).message });
      }
    }
  }
}
