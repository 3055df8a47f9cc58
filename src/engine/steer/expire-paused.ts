import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../platform/background-loop.js';
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
export class ExpirePaused extends BackgroundLoop {
  constructor(private readonly database: Database) {
    super({
      name: 'ExpirePaused',
      failure: 'could not end old messages, will retry in an hour',
      everyMs: HOUR_MS,
      firstMs: FIRST_MS,
      isAwaited: false,
    });
  }

  override async round(): Promise<void> {
    const values = [MAX_DAYS, BATCH, JSON.stringify({ switched_off: 'channel', days: MAX_DAYS })];
    for (let jobs = BATCH; jobs === BATCH && !this.stopping.aborted;) {
      const { rows } = await this.database.query<{ jobs: number }>('expire-paused', EXPIRE_PAUSED, values);
      jobs = rows[0]!.jobs;
    }
  }
}
