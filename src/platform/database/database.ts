import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Pool, QueryResult, QueryResultRow } from 'pg';
import { CONFIG } from '../config/config.js';
import type { Config } from '../config/config.js';
import { createPool } from './connection/open-session.js';
import { PLANNER_SETTINGS } from './planner-settings.js';
import { surviveLostConnections } from './survive-lost-connections.js';

export const DATABASE_URL = Symbol('DATABASE_URL');

/**
 * The connection pool of the process, which Prisma shares. The methods are for hot statements and long lists. They never write
 * audited rows: `PrismaService.change` does.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly pool: Pool;

  constructor(@Inject(DATABASE_URL) url: string, @Inject(CONFIG) config: Config) {
    this.pool = createPool(url, config.databasePoolMax, {
      kind: 'request',
      name: `carillon ${config.role}`,
      settings: PLANNER_SETTINGS,
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
