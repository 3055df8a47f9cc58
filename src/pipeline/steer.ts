import { Injectable } from '@nestjs/common';
import { Database } from '../prisma/database.js';
import type { SteerPayload } from '../queue/task.js';
import { CANCEL_SOME, RETRY_SOME } from './steer.sql.js';

const CANCEL_BATCH = 5000;
const RETRY_BATCH = 1000;

type Edge = [notification: number, channel: number, user: number];

/** Goes through the deliveries of an occurrence, some at a time, in the order of their index. */
@Injectable()
export class Steer {
  constructor(private readonly database: Database) {}

  /** The occurrence itself says already that it is canceled, and nothing leaves any more: this marks what waits. */
  async cancel({ occurrence }: SteerPayload, stopping: AbortSignal): Promise<void> {
    await this.walk('cancel-some', CANCEL_SOME, occurrence, CANCEL_BATCH, stopping);
  }

  /** Dead deliveries become pending again, each with a schedule that starts anew. */
  async retry({ occurrence }: SteerPayload, stopping: AbortSignal): Promise<void> {
    await this.walk('retry-some', RETRY_SOME, occurrence, RETRY_BATCH, stopping);
  }

  private async walk(
    name: string,
    sql: string,
    occurrence: string,
    batch: number,
    stopping: AbortSignal,
  ): Promise<void> {
    let edge: Edge = [0, 0, 0];
    for (let more = true; more;) {
      // What is left is done from the start again: those that are through are passed over.
      if (stopping.aborted) throw new Error('the worker stops');
      const { rows } = await this.database.query<{ edge: Edge | null }>(name, sql, [occurrence, ...edge, batch]);
      more = rows[0]?.edge != null;
      edge = rows[0]?.edge ?? edge;
    }
  }
}
