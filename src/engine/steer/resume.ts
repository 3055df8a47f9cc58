import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { RESUME } from './resume.sql.js';

/** How often to look for paused jobs whose switch is on again. Another process may have switched it on. */
const CHECK_MS = 1000;

const BATCH = 100;

/** Resumes jobs that were paused because their project, application, event, notification or channel was switched off. */
@Injectable()
export class Resume implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Resume');
  private readonly stopping = new AbortController();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    void this.keepResuming();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
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
