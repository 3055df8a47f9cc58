import { Injectable } from '@nestjs/common';
import { Database } from '../../prisma/database.js';
import { Task } from '../../queue/task.js';
import type { SteerPayload } from '../../queue/task.js';
import { CANCEL_SOME, RETRY_SOME, STEER_LATER } from './steer.sql.js';

const CANCEL_BATCH = 5000;
const RETRY_BATCH = 1000;

/** After so long the rest goes to the end of the line. */
const TURN_MS = 2000;

type Edge = NonNullable<SteerPayload['after']>;

/** Goes through the deliveries of an occurrence, some at a time, in the order of their index. */
@Injectable()
export class Steer {
  constructor(private readonly database: Database) {}

  /** The occurrence itself says already that it is canceled, and nothing leaves any more: this marks what waits. */
  async cancel(payload: SteerPayload, stopping: AbortSignal): Promise<void> {
    await this.walk(Task.Cancel, CANCEL_SOME, payload, CANCEL_BATCH, stopping);
  }

  /** Dead deliveries become pending again, each with a schedule that starts anew. */
  async retry(payload: SteerPayload, stopping: AbortSignal): Promise<void> {
    await this.walk(Task.Retry, RETRY_SOME, payload, RETRY_BATCH, stopping);
  }

  private async walk(
    task: keyof typeof STEER_LATER,
    sql: string,
    { occurrence, after }: SteerPayload,
    batch: number,
    stopping: AbortSignal,
  ): Promise<void> {
    const until = Date.now() + TURN_MS;
    for (let edge: Edge | null = after ?? [0, 0, 0]; edge;) {
      if (stopping.aborted || Date.now() > until) {
        await this.database.query(`${task}-later`, STEER_LATER[task], [occurrence, JSON.stringify(edge)]);
        return;
      }
      const values: unknown[] = [occurrence, ...edge, batch];
      const { rows } = await this.database.query<{ edge: Edge | null }>(`${task}-some`, sql, values);
      edge = rows[0]?.edge ?? null;
    }
  }
}
