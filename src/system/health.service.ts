import { Injectable } from '@nestjs/common';
import { Database } from '../prisma/database.js';
import { pendingMigrations } from '../prisma/migrate.js';

@Injectable()
export class HealthService {
  constructor(private readonly database: Database) {}

  async check(): Promise<Record<string, string>> {
    try {
      const pending = await pendingMigrations(this.database.pool);
      return { database: 'ok', migrations: pending.length === 0 ? 'ok' : `${pending.length} to apply` };
    } catch {
      return { database: 'unreachable', migrations: 'unknown' };
    }
  }
}
