import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, QueryResult, QueryResultRow } from 'pg';
import { readConfig } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import type { Actor } from '../../platform/database/actor.js';
import { prepareDatabase } from '../../cell/directory/become-cell.js';
import { createSession } from '../../platform/database/connection/open-session.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { PLANNER_SETTINGS } from '../../platform/database/planner-settings.js';
import { inTransaction, runChange } from '../../platform/database/transaction.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';

/** The connection of a short command. It has the methods of `PrismaService` and `Database` that run SQL texts. */
export class Connection implements SqlTransaction {
  constructor(private readonly client: Client) {}

  query<Row extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<QueryResult<Row>> {
    return this.client.query<Row>({ name, text, values });
  }

  async $queryRawUnsafe<Rows>(sql: string, ...values: unknown[]): Promise<Rows> {
    return (await this.client.query(sql, values)).rows as Rows;
  }

  async $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number> {
    return (await this.client.query(sql, values)).rowCount ?? 0;
  }

  $transaction<Result>(work: (tx: SqlTransaction) => Promise<Result>): Promise<Result> {
    return inTransaction(this.client, () => work(this));
  }

  /** Writes audited rows, as `PrismaService.change` does. */
  change<Result>(by: Actor, work: (tx: SqlTransaction) => Promise<Result>): Promise<Result> {
    return runChange((named: typeof work) => this.$transaction(named), by, work);
  }
}

const CLOSE_MS = 500;

/** Waits until a connection is closed, but not for a server that does not answer: the end of the process closes it too. */
export const closeSoon = (closing: Promise<void>) =>
  Promise.race([closing.catch(() => undefined), sleep(CLOSE_MS, undefined, { ref: false })]);

/** Runs a command, with or without a running server. Starts the embedded database if it does not run yet. */
export async function withDatabase<Result>(work: (url: string, config: Config) => Promise<Result>): Promise<Result> {
  const config = readConfig();
  const database = await openDatabase(config, 'command');
  try {
    await prepareDatabase(database.url, config);
    return await work(database.url, config);
  } finally {
    await database.close();
  }
}

/** The same for a short command. It loads neither Prisma nor Nest, which would take most of its CPU time. */
export function withConnection<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
  return withDatabase(async (connectionString) => {
    const name = 'carillon command';
    const client = createSession(connectionString, { kind: 'request', name, settings: PLANNER_SETTINGS });
    await client.open();
    try {
      return await work(new Connection(client));
    } finally {
      await closeSoon(client.end());
    }
  });
}
