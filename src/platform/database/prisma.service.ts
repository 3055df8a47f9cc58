import { Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.js';
import type { Actor } from './actor.js';
import { Database } from './database.js';
import { CONNECT_MS } from './connection/open-session.js';
import { runChange } from './transaction.js';
import type { Transaction } from './transaction.js';

// Every statement has its own timeout, so a transaction needs none. Prisma requires one, and its default is five seconds, but `apply` with a
// million users takes minutes.
const TRANSACTION_TIMEOUT_MS = 24 * 3_600_000;

interface ChangeOptions {
  /** False for work that cannot run twice, such as reading a stream. */
  retry?: boolean;
  /** The longest time of the transaction; default: a day. */
  timeoutMs?: number;
}

/** Everyday reads and writes, over the same pool as `Database`. */
@Injectable()
export class PrismaService extends PrismaClient {
  constructor(database: Database) {
    super({ adapter: new PrismaPg(database.pool) });
  }

  /**
   * The way to write audited rows (users and configuration): a transaction in the name of `by`. Runs `work` again if PostgreSQL ended the
   * transaction to break a deadlock.
   */
  change<Result>(by: Actor, work: (tx: Transaction) => Promise<Result>, options: ChangeOptions = {}): Promise<Result> {
    const limits = { timeout: options.timeoutMs ?? TRANSACTION_TIMEOUT_MS, maxWait: CONNECT_MS };
    return runChange((named: typeof work) => this.$transaction(named, limits), by, work, options);
  }
}
