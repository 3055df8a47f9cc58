import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { EXPIRE_PAUSED } from '../../platform/queue/paused.sql.js';

const FIRST_MS = 600_000;
/** It reads every job that waits for a channel. */
const HOUR_MS = 3_600_000;

const BATCH = 1000;

/** How long a message waits for a channel that is switched off. */
const MAX_DAYS = 7;

/** Ends messages that have waited too long for a channel that is switched off, or that have expired meanwhile. */
@Injectable()
export class ExpirePaused implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('ExpirePaused');
  private readonly stopping = new AbortController();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    void this.keepExpiring();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async keepExpiring(): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = FIRST_MS; ; pause = HOUR_MS) {
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.run().catch((error: Error) => {
        if (!signal.aborted)
          this.logger.warn({ message: 'could not end old messages, will retry in an hour', error: error.message });
      });
    }
  }

  async run(): Promise<void> {
    const values = [MAX_DAYS, BATCH, JSON.stringify({ switched_off: 'channel', days: MAX_DAYS })];
    for (let jobs = BATCH; jobs === BATCH && !this.stopping.signal.aborted;) {
      const { rows } = await this.database.query<{ jobs: number }>('expire-paused', EXPIRE_PAUSED, values);
      jobs = rows[0]!.jobs;
    }
  }
}
