import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../dispatcher/dispatcher.module.js';
import { Database } from '../../../platform/database/database.js';
import { PrismaService } from '../../../platform/database/prisma.service.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { stepsOf, unreachedSteps } from './step-reach.js';
import type { ReachedSteps, UnreachedStep } from './step-reach.js';

/** An audience that nobody is in takes a look at every user. Whoever saves does not wait longer for a warning. */
const MOST_MS = 1000;

/** Finds the steps that would tell nobody, for requests. */
@Injectable()
export class UnreachedSteps {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** Of a notification that was saved: whatever goes wrong here, it is saved. */
  async ofSaved(id: number): Promise<UnreachedStep[]> {
    return stepsOf(this.prisma, id)
      .then((steps) => this.of(steps))
      .catch(() => []);
  }

  /** Gives up after a while: then none is known. */
  async of(given: ReachedSteps): Promise<UnreachedStep[]> {
    if (given.steps.every(({ to }) => to === undefined)) return [];
    const client = await this.database.pool.connect();
    const query = async <Row extends object>(text: string, values: unknown[]) =>
      (await client.query<Row>(text, values)).rows;
    try {
      return await inTransaction(client, async () => {
        await client.query(`set local statement_timeout = ${MOST_MS}`);
        return unreachedSteps(given, this.dispatchers, query);
      });
    } catch (error) {
      if (isTimeout(error)) return [];
      throw error;
    } finally {
      client.release();
    }
  }
}

const isTimeout = (error: unknown) => (error as { code?: string }).code === '57014';
