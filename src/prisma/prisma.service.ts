import { Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.js';
import type { Prisma } from '../generated/prisma/client.js';
import { NAME_ACTOR } from './actor.js';
import type { Actor } from './actor.js';
import { Database } from './database.js';
import { isDeadlock } from './unique.js';

// Prisma gives up after five seconds by itself; each statement has a limit of its own.
const LONGEST_MS = 600_000;
const MAX_TRIES = 5;

/** Everyday queries, over the same pool as the hot ones. */
@Injectable()
export class PrismaService extends PrismaClient {
  constructor(database: Database) {
    super({ adapter: new PrismaPg(database.pool) });
  }

  /** A transaction that changes what is audited. */
  change<Result>(by: Actor, work: (tx: Prisma.TransactionClient) => Promise<Result>): Promise<Result> {
    const named = async (tx: Prisma.TransactionClient) => {
      await tx.$queryRawUnsafe(NAME_ACTOR, JSON.stringify(by));
      return work(tx);
    };
    return this.unbroken(() => this.$transaction(named, { timeout: LONGEST_MS }));
  }

  /** Again from the start when PostgreSQL had to break a deadlock. */
  private async unbroken<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!isDeadlock(error) || tries === MAX_TRIES) throw error;
      }
    }
  }
}
