import { Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.js';
import { NAME_ACTOR } from './actor.js';
import type { Actor } from './actor.js';
import { CONNECT_MS, Database } from './database.js';
import { isDeadlock } from './database-error.js';
import type { Transaction } from './transaction.js';

// Every statement has a limit of its own, so a transaction needs none; Prisma insists on one and would take five seconds.
// `apply` with a million people takes minutes.
const LONGEST_MS = 24 * 3_600_000;
const MAX_TRIES = 5;

export interface ChangeOptions {
  /** False for work that cannot start again, such as reading a stream. */
  retry?: boolean;
}

/** Everyday reads and writes, over the same pool as `Database`. */
@Injectable()
export class PrismaService extends PrismaClient {
  constructor(database: Database) {
    super({ adapter: new PrismaPg(database.pool) });
  }

  /**
   * The only way to write what is audited (people and configuration): a transaction in the name of `by`. It starts again when
   * PostgreSQL ended it to break a deadlock.
   */
  async change<Result>(
    by: Actor,
    work: (tx: Transaction) => Promise<Result>,
    { retry = true }: ChangeOptions = {},
  ): Promise<Result> {
    const named = async (tx: Transaction) => {
      await tx.$queryRawUnsafe(NAME_ACTOR, JSON.stringify(by));
      return work(tx);
    };
    for (let tries = 1; ; tries++) {
      try {
        return await this.$transaction(named, { timeout: LONGEST_MS, maxWait: CONNECT_MS });
      } catch (error) {
        if (!retry || !isDeadlock(error) || tries === MAX_TRIES) throw error;
      }
    }
  }
}
