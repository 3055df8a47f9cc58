import type { Pool } from 'pg';
import { Database } from '../../src/platform/database/database.js';
import type { TestApp } from '../support/app/app.js';

interface Read {
  table: string;
  /** How often the whole table was read. */
  scans: number;
  /** Rows, and entries of its indexes. */
  rows: number;
}

const COUNTERS = `
  select t.relname "table", t.seq_scan::int scans, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::int rows
  from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid)
  where t.relname = any($1)
  group by t.relid, t.relname, t.seq_scan, t.seq_tup_read`;

/** What PostgreSQL itself counts: how much of the large tables is read. */
export class Reads {
  constructor(
    private readonly app: TestApp,
    private readonly tables: string[],
  ) {}

  /** What was read while `work` was done, of tables that were read as a whole or by more than so many rows. */
  async tooMuch(mostRows: number, work: () => Promise<unknown>): Promise<Read[]> {
    const before = await this.counters();
    await work();
    const after = await this.counters();
    return after
      .map(({ table, scans, rows }, i) => ({ table, scans: scans - before[i]!.scans, rows: rows - before[i]!.rows }))
      .filter(({ scans, rows }) => scans > 0 || rows > mostRows);
  }

  private async counters(): Promise<Read[]> {
    await flush(this.app.app.get(Database).pool);
    const { rows } = await this.app.pool.query<Read>(COUNTERS, [this.tables]);
    return rows.sort((a, b) => (a.table < b.table ? -1 : 1));
  }
}

/** A connection keeps what it counts to itself for up to ten seconds, unless it is told not to. */
async function flush(pool: Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  for (const client of clients) {
    await client.query('select pg_stat_force_next_flush()');
    client.release();
  }
}
