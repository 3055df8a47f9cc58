import { Injectable } from '@nestjs/common';
import type { QueryResult } from 'pg';
import { Database } from '../../platform/database/database.js';
import type { ErasePayload, Remainder } from '../../platform/queue/task.js';
import {
  DELIVERIES_OF_USER,
  ERASE_CONTEXTS,
  ERASE_DELIVERIES,
  ERASE_WAITING,
  NEXT_EVENT,
  NEXT_OCCURRENCES,
  WRITE_OCCURRENCE,
} from './erase.sql.js';
import { scrubberOf } from './scrub.js';
import type { Scrubber } from './scrub.js';

const DELIVERIES = 1000;
const OCCURRENCES = 500;
/** After this time the remainder goes to the end of the queue. */
const TIME_SLICE_MS = 2000;
/** Whatever was being sent when the user was deleted has ended by then. */
const SECOND_PASS_MS = 15 * 60_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface OccurrenceRow {
  id: string;
  context: unknown;
  options: unknown;
  decisions: unknown;
  digest: unknown;
  problem: string | null;
  mentions: boolean;
}

/** Removes the data of a deleted user from what was sent to them, and from the occurrences that mention them. Running it again does no harm. */
@Injectable()
export class Erase {
  constructor(private readonly database: Database) {}

  async run(payload: ErasePayload, stopping: AbortSignal): Promise<Remainder<ErasePayload> | undefined> {
    if (payload.event === undefined) await this.eraseDeliveries(payload);
    const scrubber = scrubberOf(payload.addresses);
    const rest = scrubber && (await this.scrubOccurrences(payload, scrubber, stopping));
    if (rest) return { waitMs: 0, payload: rest };
    if (payload.isSecond) return undefined;
    const { organization, user, addresses } = payload;
    return { waitMs: SECOND_PASS_MS, payload: { organization, user, addresses, isSecond: true } };
  }

  private async eraseDeliveries({ organization, user }: ErasePayload): Promise<void> {
    for (let after: string | undefined = '0'; after !== undefined;) {
      const values = [user, organization, after, DELIVERIES];
      const found: QueryResult<{ id: string }> = await this.database.pool.query(DELIVERIES_OF_USER, values);
      const ids = found.rows.map(({ id }) => id);
      if (ids.length > 0) {
        await this.database.pool.query(ERASE_DELIVERIES, [ids]);
        await this.database.pool.query(ERASE_CONTEXTS, [ids, user]);
      }
      after = ids.length === DELIVERIES ? ids.at(-1) : undefined;
    }
    await this.database.pool.query(ERASE_WAITING, [user, organization]);
  }

  /** Returns where to continue; nothing: all occurrences of the organization were read. */
  private async scrubOccurrences(payload: ErasePayload, scrubber: Scrubber, stopping: AbortSignal) {
    const until = Date.now() + TIME_SLICE_MS;
    for (let from = payload.event ?? 0, { after = FIRST_ID } = payload; ; after = FIRST_ID) {
      const { rows } = await this.database.pool.query<{ id: number }>(NEXT_EVENT, [payload.organization, from]);
      const event = rows[0]?.id;
      if (event === undefined) return undefined;
      if (event !== from) after = FIRST_ID;
      for (let edge: string | undefined = after; edge !== undefined;) {
        edge = await this.scrubPage(event, edge, scrubber);
        const isLate = stopping.aborted || Date.now() > until;
        if (edge !== undefined && isLate) return { ...payload, event, after: edge };
      }
      from = event + 1;
    }
  }

  private async scrubPage(event: number, after: string, { patterns, scrub }: Scrubber): Promise<string | undefined> {
    const values = [event, after, patterns, OCCURRENCES];
    const { rows } = await this.database.pool.query<OccurrenceRow>(NEXT_OCCURRENCES, values);
    for (const { id, context, options, decisions, digest, problem } of rows.filter(({ mentions }) => mentions)) {
      const json = [context, options, decisions, digest].map((value) => value && JSON.stringify(scrub(value)));
      await this.database.pool.query(WRITE_OCCURRENCE, [id, ...json, scrub(problem)]);
    }
    return rows.length === OCCURRENCES ? rows.at(-1)!.id : undefined;
  }
}
