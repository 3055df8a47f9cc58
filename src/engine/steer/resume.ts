import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { Database } from '../../platform/database/database.js';
import { RESUME } from './resume.sql.js';

/** How often to look for paused jobs whose switch is on again. Another process may have switched it on. */
const CHECK_MS = 1000;

const BATCH = 100;

/** Resumes jobs that were paused because their project, application, event, notification or channel was switched off. */
@Injectable()
export class Resume extends BackgroundLoop {
  constructor(private readonly database: Database) {
    super({
      name: 'Resume',
      failure: 'could not resume paused jobs',
      everyMs: CHECK_MS,
      firstMs: 0,
      isAwaited: false,
    });
  }

  protected override async round(): Promise<void> {
    for (let resumed = BATCH; resumed === BATCH && !this.stopping.aborted;) {
      const { rows } = await this.database.query<{ resumed: number }>('resume', RESUME, [BATCH]);
      resumed = rows[0]!.resumed;
    }
  }
}
