import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { Database } from '../../platform/database/database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { COUNT_CHANGES, DELETE_EMPTY, DELETE_EMPTY_DOMAINS, TAKE_LOCK } from './count-figures.sql.js';

/** How long a figure may be behind. */
const PAUSE_MS = 5000;
/** Changes that one transaction counts. */
const BATCH = 5000;

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
        const { rows } = await client.query<{ taken: number; hours: string }>(COUNT_CHANGES, [batch, this.mailTypes]);
        const { taken, hours } = rows[0]!;
        if (taken > 0) for (const sql of [DELETE_EMPTY, DELETE_EMPTY_DOMAINS]) await client.query(sql, [hours]);
        return taken;
      });
    } finally {
      client.release();
    }
  }
}
