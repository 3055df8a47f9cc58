import { Injectable } from '@nestjs/common';
import { ConnectionWatch } from '../prisma/connection/connection-watch.js';
import { Database } from '../prisma/database.js';
import { UnfitSchema } from '../prisma/migration/history.js';
import { pendingMigrations } from '../prisma/migration/migrate.js';

const KEEP_MS = 1000;

@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly watch: ConnectionWatch,
  ) {}

  private last: Promise<Record<string, string>> | undefined;
  private askedAt = 0;

  /** At most one question a second to the database, however many load balancers ask. */
  check(): Promise<Record<string, string>> {
    // Known without a question, and a question would wait in vain.
    const { problem } = this.watch;
    if (problem) return Promise.resolve({ database: problem, migrations: 'unknown' });
    if (this.last && performance.now() - this.askedAt < KEEP_MS) return this.last;
    this.askedAt = performance.now();
    return (this.last = this.ask());
  }

  private async ask(): Promise<Record<string, string>> {
    try {
      const pending = await pendingMigrations(this.database.pool);
      return { database: 'ok', migrations: pending.length === 0 ? 'ok' : `${pending.length} to apply` };
    } catch (error) {
      if (error instanceof UnfitSchema) return { database: 'ok', migrations: error.message };
      return { database: 'unreachable', migrations: 'unknown' };
    }
  }
}
