import { Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Database } from '../prisma/database.js';

const HOUR_MS = 3_600_000;

/** Forgets idempotency keys after a day. An old key is already ignored; this only keeps the table small. */
@Injectable()
export class IdempotencyPurge implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Event');
  private timer?: NodeJS.Timeout;

  constructor(private readonly database: Database) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.purge(), HOUR_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async purge(): Promise<void> {
    const sql = `delete from idempotency_keys where created_at < now() - interval '24 hours'`;
    await this.database.pool.query(sql).catch((error: Error) => {
      this.logger.warn({ message: 'idempotency keys not purged', error: error.message });
    });
  }
}
