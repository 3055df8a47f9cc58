import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import type { QueryResult, QueryResultRow } from 'pg';
import { CONFIG } from '../config/config.js';
import type { Config } from '../config/config.js';
import { onConnect } from './on-connect.js';
import { surviveLostConnections } from './survive-lost-connections.js';

export const DATABASE_URL = Symbol('DATABASE_URL');

/** How long to wait for a free connection. */
export const CONNECT_MS = 5000;

/**
 * `random_page_cost`: PostgreSQL's default (4) assumes a spinning disk. With it, PostgreSQL reads all users instead of looking up those of a
 * list: 3.7 ms instead of 1.8 ms for 100 members among 10,000 people.
 *
 * `enable_seqscan`: a plan made while a table was empty reads the whole table, and lives on while the table grows. Each look-up of a key
 * then read all occurrences of the last minute. Every statement of ours has an index, so none needs to read a table whole. `jit`: where
 * PostgreSQL must do so anyway, it would take the high price for a reason to compile the statement.
 */
export const PLANNER_SETTINGS = 'set random_page_cost = 1.1; set enable_seqscan = off; set jit = off';
// A request that waits for a lock holds a connection that others need.
const SETTINGS = `set statement_timeout = '30s'; set lock_timeout = '5s'; ${PLANNER_SETTINGS}`;

/**
 * The connection pool of the process, which Prisma shares. The methods are for hot statements and long lists. They never write
 * audited rows: `PrismaService.change` does.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly pool: Pool;

  constructor(@Inject(DATABASE_URL) url: string, @Inject(CONFIG) config: Config) {
    this.pool = new Pool({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: `carillon ${config.role}`,
      max: config.databasePoolMax,
      onConnect: onConnect(SETTINGS),
    });
    surviveLostConnections(this.pool, new Logger('Database'));
  }

  /** A hot statement: named, so that PostgreSQL parses and plans it once per connection. */
  query<Row extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<QueryResult<Row>> {
    return this.pool.query<Row>({ name, text, values });
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}
