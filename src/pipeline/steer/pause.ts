import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../prisma/database.js';
import { Task } from '../../queue/task.js';
import type { DeliverPayload } from '../../queue/task.js';
import type { Off } from '../../ruleset/switch.sql.js';
import { PAUSE, WAKE } from './pause.sql.js';

/** So soon what waits goes on after its switch is on again, whoever has switched it. */
const LOOK_MS = 1000;

const WOKEN_AT_ONCE = 100;

/**
 * Jobs whose project, application, event, notification or channel is switched off. They leave the queue, so that a million that
 * wait cost the others nothing, and come back when it is on.
 */
@Injectable()
export class Pause implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Pause');
  private readonly stopping = new AbortController();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    void this.keepLooking();
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

  private async keepLooking(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.wake().catch((error: Error) => {
        if (!signal.aborted) this.logger.warn({ message: 'nothing woken', error: error.message });
      });
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async wake(): Promise<void> {
    for (let woken = WOKEN_AT_ONCE; woken === WOKEN_AT_ONCE && !this.stopping.signal.aborted;) {
      const { rows } = await this.database.query<{ woken: number }>('wake', WAKE, [WOKEN_AT_ONCE]);
      woken = rows[0]!.woken;
    }
  }
}
