import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Scope } from '../auth/scope.js';
import { EventStreams } from '../http/stream/event-stream.js';
import { Database } from '../prisma/database.js';
import { AtOnce } from './at-once.js';
import { ProgressPoll } from './progress-poll.js';
import type { ProgressDto } from './progress.dto.js';

const LOAD = `
  select o.status, count(d.id)::int total,
         count(d.id) filter (where d.status = 'pending')::int pending,
         count(d.id) filter (where d.status = 'sent')::int sent,
         count(d.id) filter (where d.status = 'skipped')::int skipped,
         count(d.id) filter (where d.status = 'dead')::int dead
  from occurrences o left join deliveries d on d.occurrence_id = o.id
  where o.id = $1 and o.organization_id = $2
  group by o.id`;

/** Counting may take seconds, and a connection of the pool that everything needs. */
const LOOKS_AT_ONCE = 2;

@Injectable()
export class ProgressService {
  private readonly polls = new Map<string, ProgressPoll>();
  private readonly looks = new AtOnce(LOOKS_AT_ONCE);

  constructor(
    private readonly database: Database,
    private readonly streams: EventStreams,
  ) {}

  /** How many occurrences are being watched. */
  get watched(): number {
    return this.polls.size;
  }

  async open({ organizationId, occurrenceId }: Scope, response: Response): Promise<void> {
    let poll = this.polls.get(occurrenceId);
    if (!poll) {
      poll = new ProgressPoll(
        () => this.load(organizationId, occurrenceId),
        this.looks,
        () => this.polls.delete(occurrenceId),
      );
      this.polls.set(occurrenceId, poll);
    }
    await poll.watch(() => this.streams.open(response, organizationId));
  }

  private async load(organizationId: number, occurrenceId: string): Promise<ProgressDto | null> {
    const { rows } = await this.database.query<ProgressDto>('progress', LOAD, [occurrenceId, organizationId]);
    return rows[0] ?? null;
  }
}
