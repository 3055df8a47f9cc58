import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { uuidV7 } from '../field/uuid-v7.js';
import { conflict, notFound } from '../http/problem.js';
import { APPROVE, CANCEL, RETRY_ALL, RETRY_ONE } from '../pipeline/steer/steer.sql.js';
import { Database } from '../prisma/database.js';
import { PrismaService } from '../prisma/prisma.service.js';
import type { Priority } from '../queue/priority.js';
import { Watch } from '../watch/watch.js';
import { OccurrenceStore } from './occurrence-store.js';
import type { ApprovedDto, CanceledDto, ReplayedDto, RetryingDto } from './steer.dto.js';

const NOTE = `select audit_note_as($1, 'occurrence', $2, $3, 1)`;

/** Approves, stops, repeats and replays what was triggered. The work itself is a job: an occurrence may have a million deliveries. */
@Injectable()
export class SteerService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly store: OccurrenceStore,
    private readonly watch: Watch,
  ) {}

  async cancel(scope: Scope): Promise<CanceledDto> {
    const { organizationId, occurrenceId } = scope;
    return this.noting(scope, 'cancel', async (client) => {
      const { rows } = await client.query<{ before: string; stopped: boolean }>({
        ...{ name: 'cancel-occurrence', text: CANCEL },
        values: [occurrenceId, organizationId],
      });
      const [row] = rows;
      if (!row) throw notFound('occurrence');
      if (!row.stopped && row.before !== 'canceled')
        throw conflict('The occurrence has come to its end: there is nothing left to cancel.');
      return { occurrence: occurrenceId, status: 'canceled' };
    });
  }

  async approve(scope: Scope): Promise<ApprovedDto> {
    const { organizationId, occurrenceId } = scope;
    return this.noting(scope, 'approve', async (client) => {
      const { rows } = await client.query<{ before: string; approved: boolean }>({
        ...{ name: 'approve-occurrence', text: APPROVE },
        values: [occurrenceId, organizationId],
      });
      const [row] = rows;
      if (!row) throw notFound('occurrence');
      if (!row.approved) throw conflict(`Only an occurrence that is held can be approved; this one is ${row.before}.`);
      return { occurrence: occurrenceId, status: 'pending' };
    });
  }

  async retry(scope: Scope, delivery?: number): Promise<RetryingDto> {
    const [name, text, values] =
      delivery === undefined ? ['retry-all', RETRY_ALL, []] : ['retry-one', RETRY_ONE, [delivery]];
    return this.noting(scope, 'retry', async (client) => {
      const { rows } = await client.query<{ occurrence: string; delivery: string | null; retrying: number }>({
        ...{ name, text },
        values: [scope.occurrenceId, scope.organizationId, ...values],
      });
      const [row] = rows;
      if (!row) throw notFound('occurrence');
      if (row.occurrence === 'canceled') throw conflict('The occurrence was canceled. Replay it to send it again.');
      if (delivery !== undefined && row.delivery === null) throw notFound('delivery');
      if (delivery !== undefined && row.retrying === 0)
        throw conflict(`Only a dead delivery can be tried again; this one is ${row.delivery}.`);
      return { retrying: row.retrying };
    });
  }

  async replay(scope: Scope): Promise<ReplayedDto> {
    const { organizationId, occurrenceId, path } = scope;
    const startedAt = Date.now();
    const first = await this.prisma.occurrence.findFirst({
      where: { id: occurrenceId, organizationId },
      select: { eventId: true, context: true, options: true },
    });
    if (!first) throw notFound('occurrence');
    const { send_at: _, expires_at: __, ...options } = first.options as Record<string, unknown>;
    const occurrence = uuidV7();
    await this.store.add({
      id: occurrence,
      organizationId,
      eventId: first.eventId,
      context: JSON.stringify(first.context),
      options: JSON.stringify(options),
      runAt: null,
      priority: (options.priority as Priority | undefined) ?? 'normal',
      idempotency: null,
    });
    const attributes = { 'carillon.organization': path.org ?? '', 'carillon.occurrence.id': occurrence };
    this.watch.traces?.triggered({ occurrence, startedAt, attributes, replayOf: occurrenceId });
    return this.noting(scope, 'replay', () => Promise.resolve({ occurrence }));
  }

  /** No trigger notes this: workers write the table of occurrences all the time. */
  private noting<Result>(scope: Scope, verb: string, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.database.change(actorOf(scope), async (client) => {
      const result = await work(client);
      await client.query(NOTE, [verb, scope.organizationId, scope.occurrenceId]);
      return result;
    });
  }
}
