import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../prisma/database.js';
import { Task } from '../../queue/task.js';
import type { DeliverPayload } from '../../queue/task.js';
import type { Off } from '../../ruleset/switch.sql.js';
import { PAUSE, RESUME } from './pause.sql.js';

/** How often to look for paused jobs whose switch is on again. Another process may have switched it on. */
const CHECK_MS = 1000;

const BATCH = 100;

/**
 * Pauses jobs whose project, application, event, notification or channel is switched off, and resumes them when it is on again. Paused
 * jobs leave the queue, so a million of them cost other jobs nothing.
 */
@Injectable()
export class Pause implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Pause');
  private readonly stopping = new AbortController();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    void this.keepResuming();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  expand(occurrence: string, off: Off): Promise<void> {
    return this.pause(occurrence, Task.Expand, { occurrences: [occurrence] }, off);
  }

  deliver(payload: DeliverPayload, off: Off): Promise<void> {
    return this.pause(payload.occurrence, Task.Deliver, payload, off);
  }

  private async pause(occurrence: string, task: string, payload: object, off: Off): Promise<void> {
    await this.database.query('pause', PAUSE, [occurrence, task, JSON.stringify(payload), ...off]);
  }

  private async keepResuming(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.resume().catch((error: Error) => {
        if (!signal.aborted) this.logger.warn({ message: 'could not resume paused jobs', error: error.message });
      });
      await sleep(CHECK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async resume(): Promise<void> {
    for (let resumed = BATCH; resumed === BATCH && !this.stopping.signal.aborted;) {
      const { rows } = await this.database.query<{ resumed: number }>('resume', RESUME, [BATCH]);
      resumed = rows[0]!.resumed;
    }
  }
}
