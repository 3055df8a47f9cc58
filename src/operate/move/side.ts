import type { Client, QueryResultRow } from 'pg';
import { createSession } from '../../platform/database/connection/open-session.js';
import { PLANNER_SETTINGS } from '../../platform/database/planner-settings.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';

// The same row has the same text in both databases, whatever their settings are.
const SAME_TEXT = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1`;

/** One of the two databases of a move, with one session. */
export class Side implements SqlTransaction {
  private constructor(
    readonly client: Client,
    readonly name: 'source' | 'target',
  ) {}

  static async connect(name: Side['name'], connectionString: string): Promise<Side> {
    // A page takes milliseconds; deleting or comparing a whole table takes as long as it takes.
    const settings = `${PLANNER_SETTINGS}; ${SAME_TEXT}`;
    const client = createSession(connectionString, { kind: 'move', name: 'carillon move', settings });
    return new Side(await client.open(), name);
  }

  async rows<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(sql, values)).rows;
  }

  /** Returns the number of rows. */
  async run(sql: string, values: unknown[] = []): Promise<number> {
    return (await this.client.query(sql, values)).rowCount ?? 0;
  }

  async $queryRawUnsafe<Rows>(sql: string, ...values: unknown[]): Promise<Rows> {
    return (await this.client.query(sql, values)).rows as Rows;
  }

  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number> {
    return this.run(sql, values);
  }

  $transaction<Result>(work: (tx: Side) => Promise<Result>): Promise<Result> {
    return inTransaction(this.client, () => work(this));
  }

  /**
   * A transaction in which no trigger runs: the rows are checked and audited already where they come from. Foreign keys are not checked
   * either, so rows can come in any order.
   */
  asReplica<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.$transaction(async () => {
      await this.run('set local session_replication_role = replica');
      return work();
    });
  }

  end(): Promise<void> {
    return this.client.end();
  }
}
