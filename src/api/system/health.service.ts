import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConnectionWatch } from '../../platform/database/connection/connection-watch.js';
import { Database } from '../../platform/database/database.js';
import { UnfitSchema } from '../../platform/database/migration/history.js';
import { pendingMigrations } from '../../platform/database/migration/migrate.js';
import { SecretKeyCheck } from './secret-key-check.js';

const KEEP_MS = 1000;

/** A load balancer has a short timeout of its own, and learns nothing from it. */
const ANSWER_MS = 1500;

type Checks = Record<string, string>;

@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly watch: ConnectionWatch,
    private readonly secretKey: SecretKeyCheck,
  ) {}

  private last: Promise<Checks> | undefined;
  /** The last answer of the database. */
  private known: Checks | undefined;
  private askedAt = 0;

  /** At most one question a second to the database, however many load balancers ask. Answers within two seconds in every case. */
  check(): Promise<Checks> {
    // Known without a question, and a question would wait in vain.
    const { problem } = this.watch;
    if (problem) return Promise.resolve({ database: problem, migrations: 'unknown' });
    if (this.last && performance.now() - this.askedAt < KEEP_MS) return this.last;
    this.askedAt = performance.now();
    return (this.last = this.askInTime());
  }

  private async askInTime(): Promise<Checks> {
    const late = new AbortController();
    const silence = sleep(ANSWER_MS, null, { signal: late.signal, ref: false }).catch(() => null);
    const checks = await Promise.race([this.ask(), silence]);
    late.abort();
    if (checks) return checks;
    // The pool is busy, or its connections are not. The watch has its own connection and knows whether the database answers.
    return (this.watch.hasJustAnswered && this.known) || { database: 'does not answer in time', migrations: 'unknown' };
  }

  private async ask(): Promise<Checks> {
    try {
      const pending = await pendingMigrations(this.database.pool);
      const migrations = pending.length === 0 ? 'ok' : `${pending.length} to apply`;
      const isWrong = pending.length === 0 && (await this.secretKey.isWrong());
      const key = 'is not the key of this database: it opens none of the stored secrets';
      return (this.known = { database: 'ok', migrations, ...(isWrong && { secret_key: key }) });
    } catch (error) {
      if (error instanceof UnfitSchema) return { database: 'ok', migrations: error.message };
      return { database: 'unreachable', migrations: 'unknown' };
    }
  }
}
