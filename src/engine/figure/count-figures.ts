import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { LONG_STATEMENTS } from '../../platform/database/connection/kinds.js';
import { Database } from '../../platform/database/database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { COUNT_CHANGES, DELETE_EMPTY, FORGET_DAYS, MAKE_DAYS, TAKE_LOCK, TIME_ZONE } from './count-figures.sql.js';

/** How long a figure may be behind. */
const PAUSE_MS = 5000;
/** Changes that one transaction counts. */
const BATCH = 5000;
const UNITS = ['hours', 'days', 'months'] as const;

interface Counted {
  taken: number;
  hours: string;
  days: string;
  months: string;
  without_days: number[];
}

/** Adds what triggers of the database noted about deliveries to the figures: in every worker, one at a time. */
@Injectable()
export class CountFigures extends BackgroundLoop {
  private readonly mailTypes: string[];

  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {
    super({
      name: 'Figures',
      failure: 'could not count figures, will retry',
      everyMs: PAUSE_MS,
      firstMs: PAUSE_MS,
      isAwaited: true,
    });
    this.mailTypes = [...dispatchers].filter(([, { addressKind }]) => addressKind === 'email').map(([type]) => type);
  }

  protected override async round(): Promise<void> {
    while (!this.stopping.aborted && (await this.run(BATCH)) === BATCH);
  }

  /** Returns how many changes were counted; null: another process counts. */
  async run(batch: number): Promise<number | null> {
    const client = await this.database.pool.connect();
    try {
      return await inTransaction(client, async () => {
        const lock = await client.query<{ locked: boolean }>(TAKE_LOCK);
        if (!lock.rows[0]!.locked) return null;
        const { rows } = await client.query<Counted>(COUNT_CHANGES, [batch, this.mailTypes]);
        const { taken, without_days: withoutDays, ...written } = rows[0]!;
        for (const unit of taken > 0 ? UNITS : [])
          for (const sql of DELETE_EMPTY[unit]) await client.query(sql, [written[unit]]);
        for (const organization of withoutDays) await makeDays(client, organization);
        return taken;
      });
    } finally {
      client.release();
    }
  }
}

/** A few milliseconds for an organization with its first message. For one that has changed its time zone, two minutes with 6,600,000 hourly rows. */
async function makeDays(client: PoolClient, organization: number): Promise<void> {
  await client.query(LONG_STATEMENTS);
  const { rows } = await client.query<{ timeZone: string }>(TIME_ZONE, [organization]);
  for (const sql of FORGET_DAYS) await client.query(sql, [organization]);
  for (const sql of rows[0] ? MAKE_DAYS : []) await client.query(sql, [organization, rows[0]!.timeZone]);
}
