import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { Database } from '../../platform/database/database.js';
import { RETURN_SNOOZED } from './snoozed.sql.js';

/** How often to look for messages whose time has come. */
const CHECK_MS = 2000;

/** Messages brought back together, and how many of them may belong to one organization. One NOTIFY announces them. */
const BATCH = 200;
const OF_ONE_ORGANIZATION = 100;

/** Brings snoozed messages back into their inboxes. */
@Injectable()
export class ReturnSnoozed extends BackgroundLoop {
  constructor(private readonly database: Database) {
    super({
      name: 'ReturnSnoozed',
      failure: 'could not bring back snoozed messages, will retry',
      everyMs: CHECK_MS,
      firstMs: CHECK_MS,
      isAwaited: false,
    });
  }

  protected override async round(): Promise<void> {
    for (let returned = 1; returned > 0 && !this.stopping.aborted;) {
      const values = [OF_ONE_ORGANIZATION, BATCH];
      const { rows } = await this.database.query<{ returned: number }>('return-snoozed', RETURN_SNOOZED, values);
      ({ returned } = rows[0]!);
    }
  }
}
