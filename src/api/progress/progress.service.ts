import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Scope } from '../../auth/scope.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { EventStreams } from '../../platform/http/stream/event-stream.js';
import { Database } from '../../platform/database/database.js';
import { ProgressPoll } from './progress-poll.js';
import type { ProgressDto } from './progress.dto.js';
import { LOAD_PROGRESS } from './progress.sql.js';

/** A count may take seconds, and it holds a connection of the shared pool. */
const MAX_QUERIES = 2;

@Injectable()
export class ProgressService {
  private readonly polls = new Map<string, ProgressPoll>();
  private readonly queries = new TenantLimiter<0>({ perOrganization: MAX_QUERIES });

  constructor(
    private readonly database: Database,
    private readonly streams: EventStreams,
  ) {}

  /** The number of watched occurrences. */
  get watched(): number {
    return this.polls.size;
  }

  async open(scope: Scope, response: Response): Promise<void> {
    const { organizationId, occurrenceId } = scope;
    let poll = this.polls.get(occurrenceId);
    if (!poll) {
      poll = new ProgressPoll(
        () => this.load(organizationId, occurrenceId),
        this.queries,
        () => this.polls.delete(occurrenceId),
      );
      this.polls.set(occurrenceId, poll);
    }
    await poll.watch(() => this.streams.open(response, scope));
  }

  private async load(organizationId: number, occurrenceId: string): Promise<ProgressDto | null> {
    const { rows } = await this.database.query<ProgressDto>('progress', LOAD_PROGRESS, [occurrenceId, organizationId]);
    return rows[0] ?? null;
  }
}
