import { once } from 'node:events';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import type { ClientBase, PoolClient, QueryResult, QueryResultRow } from 'pg';
import Cursor from 'pg-cursor';
import { CONFIG } from '../config/config.js';
import type { Config } from '../config/config.js';
import { survive } from './survive.js';

export const DATABASE_URL = Symbol('DATABASE_URL');

const ROWS_AT_ONCE = 500;
const STATEMENT_MS = 30_000;
const DEADLOCK = '40P01';

// PostgreSQL takes a spinning disk for granted (4), and would rather read all users than look up those of a list: 3.7 ms instead of
// 1.8 for 100 members among 10,000 people. Not as an option of the connection: PgBouncer refuses those.
export const PLANNER_SETTING = 'set random_page_cost = 1.1';

const MAX_TRIES = 5;

/** SQL text with its parameters, as `Prisma.sql` builds it. */
export interface Sql {
  text: string;
  values: unknown[];
}

export interface StreamOptions {
  /** Rows that are fetched together: few of those that may be large. */
  atOnce?: number;
  /** The first of them must come within this time. */
  firstWithinMs?: number;
}

/** The connections to PostgreSQL: one pool for everything short, a small one for lists that are read at the reader's pace. */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly pool: Pool;
  private readonly cursors: Pool;
  private readonly logger = new Logger('Database');

  constructor(@Inject(DATABASE_URL) url: string, @Inject(CONFIG) config: Config) {
    const common = {
      connectionString: url,
      connectionTimeoutMillis: 5000,
      application_name: `carillon ${config.role}`,
      onConnect: (client: ClientBase) => client.query(PLANNER_SETTING) as unknown as void,
    };
    this.pool = new Pool({ ...common, max: config.databasePoolMax, statement_timeout: STATEMENT_MS });
    // A portal that waits for its reader counts as a running statement: no statement timeout here.
    this.cursors = new Pool({ ...common, max: Math.ceil(config.databasePoolMax / 2) });
    for (const pool of [this.pool, this.cursors]) survive(pool, this.logger);
  }

  /** A hot statement: named, so that PostgreSQL parses and plans it once per connection. */
  query<Row extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<QueryResult<Row>> {
    return this.pool.query<Row>({ name, text, values });
  }

  /** Several statements as one, again from the start when PostgreSQL had to break a deadlock. */
  async transaction<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      const client = await this.pool.connect();
      let broken = false;
      try {
        await client.query('begin');
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => (broken = true));
        if ((error as { code?: string }).code !== DEADLOCK || tries === MAX_TRIES) throw error;
      } finally {
        client.release(broken);
      }
    }
  }

  /** The rows of one statement, fetched as they are taken. */
  async *stream<Row>(
    { text, values }: Sql,
    { atOnce = ROWS_AT_ONCE, firstWithinMs = STATEMENT_MS }: StreamOptions = {},
  ): AsyncGenerator<Row> {
    const client = await this.cursors.connect();
    const cursor = client.query(new Cursor<Row>(text, values));
    let broken: Error | undefined;
    try {
      let rows = await this.within(firstWithinMs, client, cursor.read(atOnce));
      for (; rows.length > 0; rows = await cursor.read(atOnce)) {
        yield* rows;
        if (rows.length < atOnce) break;
      }
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      // A cursor whose connection is lost waits for its closing without end.
      if (!broken) broken = await closed(cursor, client);
      client.release(broken);
    }
  }

  /** Cancels what the client reads when it takes too long, again and again until it is over: the pool may have no place. */
  private async within<Result>(ms: number, client: PoolClient, reading: Promise<Result>): Promise<Result> {
    const { processID } = client as PoolClient & { processID: number };
    let canceling: Promise<unknown> | undefined;
    const late = setInterval(() => {
      canceling = this.pool.query('select pg_cancel_backend($1)', [processID]).catch((error: Error) => {
        this.logger.warn({ message: 'a list that takes too long could not be canceled', error: error.message });
      });
    }, ms);
    try {
      return await reading;
    } finally {
      clearInterval(late);
      await canceling; // or it could meet what the connection does next
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.end(), this.cursors.end()]);
  }
}

/** Nothing when the cursor was closed; the error that ended its connection otherwise. */
async function closed(cursor: Cursor, client: PoolClient): Promise<Error | undefined> {
  const done = new AbortController();
  try {
    const lost = once(client, 'end', { signal: done.signal }).then(() => new Error('connection lost'));
    lost.catch(() => undefined);
    return await Promise.race([cursor.close().then(() => undefined), lost]);
  } catch (error) {
    return error as Error;
  } finally {
    done.abort();
  }
}
