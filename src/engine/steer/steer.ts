import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { rangeValues } from '../../platform/queue/deliver-job.js';
import type { Remainder, SkipPayload, SteerPayload } from '../../platform/queue/task.js';
import { CANCEL_SOME, RETRY_SOME, SKIP_PAUSED } from './steer.sql.js';

const CANCEL_BATCH = 5000;
const RETRY_BATCH = 1000;

/** After this time the rest goes to the end of the queue. */
const TIME_SLICE_MS = 2000;

type Edge = NonNullable<SteerPayload['after']>;

/** Cancels or retries the deliveries of an occurrence, in batches, in the order of their index. */
@Injectable()
export class Steer {
  constructor(private readonly database: Database) {}

  /** The occurrence is canceled already and sends nothing more. This marks its waiting deliveries. */
  cancel(payload: SteerPayload, stopping: AbortSignal): Promise<Remainder<SteerPayload> | undefined> {
    return this.walk('cancel-some', CANCEL_SOME, payload, CANCEL_BATCH, stopping);
  }

  /** Makes dead deliveries pending again, each with a new retry schedule. */
  retry(payload: SteerPayload, stopping: AbortSignal): Promise<Remainder<SteerPayload> | undefined> {
    return this.walk('retry-some', RETRY_SOME, payload, RETRY_BATCH, stopping);
  }

  /** Ends the messages of a chunk that were discarded, or that waited too long. */
  async skip(payload: SkipPayload): Promise<undefined> {
    const { gate, evidence } = payload;
    const values = [...rangeValues(payload), gate, evidence && JSON.stringify(evidence)];
    await this.database.query('skip-paused', SKIP_PAUSED, values);
  }

  private async walk(
    name: string,
    sql: string,
    { occurrence, after }: SteerPayload,
    batch: number,
    stopping: AbortSignal,
  ): Promise<Remainder<SteerPayload> | undefined> {
    const until = Date.now() + TIME_SLICE_MS;
    for (let edge: Edge | null = after ?? [0, 0, 0]; edge;) {
      if (stopping.aborted || Date.now() > until) return { waitMs: 0, payload: { occurrence, after: edge } };
      const values: unknown[] = [occurrence, ...edge, batch];
      const { rows } = await this.database.query<{ edge: Edge | null }>(name, sql, values);
      edge = rows[0]?.edge ?? null;
    }
    return undefined;
  }
}
