import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { Database } from '../../platform/database/database.js';
import { isLockTimeout } from '../../platform/database/database-error.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { PAGES_OF_DELIVERIES, REFRESH_DELIVERY_INDEX, SUMMARIZE_DELIVERIES } from './purge.sql.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Pages that one statement looks through, about 80,000 deliveries. */
const PAGES = 1024;

// PostgreSQL cancels an autovacuum that others have waited for since `deadlock_timeout`, which is a second. The index can wait.
const WAIT_BRIEFLY = `set local lock_timeout = '100ms'`;

/**
 * The index that finds the deliveries of a user keeps a summary of every few pages (decision 17). PostgreSQL makes none while it inserts
 * rows at the end of the table: each look for a user reads these rows. So they are summarized every minute, by any process.
 */
@Injectable()
export class DeliveryIndex extends BackgroundLoop {
  constructor(private readonly database: Database) {
    super({
      name: 'DeliveryIndex',
      failure: 'deliveries not summarized, will retry in a minute',
      everyMs: MINUTE_MS,
      firstMs: MINUTE_MS,
      isAwaited: true,
    });
  }

  protected override async round(): Promise<void> {
    await this.summarize();
  }

  /** Returns the number of new summaries, or null when a vacuum or another process has the table. */
  async summarize(): Promise<number | null> {
    const client = await this.database.pool.connect();
    try {
      return await briefly<{ made: number }>(client, SUMMARIZE_DELIVERIES).then((row) => row && row.made);
    } finally {
      client.release();
    }
  }
}

/**
 * Makes a part of the summaries again, so that a day makes all of them: rows that were purged are still in the summaries of the pages that
 * new rows take. Each hour has its part.
 */
export async function refreshDeliveryIndex(client: ClientBase, now = Date.now()): Promise<void> {
  const { rows } = await client.query<{ pages: number }>(PAGES_OF_DELIVERIES);
  const hour = Math.floor(now / HOUR_MS) % HOURS;
  // Whole statements, so that no summary belongs to two hours.
  const steps = Math.ceil(rows[0]!.pages / PAGES);
  for (let step = hour; step < steps; step += HOURS) {
    const values = [step * PAGES, Math.min((step + 1) * PAGES, rows[0]!.pages) - 1];
    if (!(await briefly(client, REFRESH_DELIVERY_INDEX, values))) return;
  }
}

/** Runs a statement that needs a lock which excludes a vacuum. Null: it was not available. */
async function briefly<Row extends object>(
  client: ClientBase,
  sql: string,
  values: unknown[] = [],
): Promise<Row | null> {
  try {
    return await inTransaction(client, async () => {
      await client.query(WAIT_BRIEFLY);
      const { rows } = await client.query<Row>(sql, values);
      return rows[0]!;
    });
  } catch (error) {
    if (isLockTimeout(error)) return null;
    throw error;
  }
}
