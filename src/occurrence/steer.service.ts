import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { conflict, notFound } from '../common/problem.js';
import { uuidV7 } from '../common/uuid-v7.js';
import { APPROVE, CANCEL, RETRY_ALL, RETRY_ONE } from '../pipeline/steer.sql.js';
import { Database } from '../prisma/database.js';
import { PrismaService } from '../prisma/prisma.service.js';
import type { Priority } from '../queue/priority.js';
import { OccurrenceStore } from './occurrence-store.js';
import type { ApprovedDto, CanceledDto, ReplayedDto, RetryingDto } from './steer.dto.js';

/** Approves, stops, repeats and replays what was triggered. The work itself is a job: an occurrence may have a million deliveries. */
@Injectable()
export class SteerService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly store: OccurrenceStore,
  ) {}

  async cancel({ organizationId, occurrenceId }: Scope): Promise<CanceledDto> {
    const { rows } = await this.database.query<{ before: string; stopped: boolean }>('cancel-occurrence', CANCEL, [
      occurrenceId,
      organizationId,
    ]);
    const [row] = rows;
    if (!row) throw notFound('occurrence');
    if (!row.stopped && row.before !== 'canceled')
      throw conflict('The occurrence has come to its end: there is nothing left to cancel.');
    return { occurrence: occurrenceId, status: 'canceled' };
  }

  async approve({ organizationId, occurrenceId }: Scope): Promise<ApprovedDto> {
    const { rows } = await this.database.query<{ before: string; approved: boolean }>('approve-occurrence', APPROVE, [
      occurrenceId,
      organizationId,
    ]);
    const [row] = rows;
    if (!row) throw notFound('occurrence');
    if (!row.approved) throw conflict(`Only an occurrence that is held can be approved; this one is ${row.before}.`);
    return { occurrence: occurrenceId, status: 'pending' };
  }

  async retry({ organizationId, occurrenceId }: Scope, delivery?: number): Promise<RetryingDto> {
    const [sql, values] = delivery === undefined ? [RETRY_ALL, []] : [RETRY_ONE, [delivery]];
    const name = delivery === undefined ? 'retry-all' : 'retry-one';
    const { rows } = await this.database.query<{ occurrence: string; delivery: string | null; retrying: number }>(
      name,
      sql,
      [occurrenceId, organizationId, ...values],
    );
    const [row] = rows;
    if (!row) throw notFound('occurrence');
    if (row.occurrence === 'canceled') throw conflict('The occurrence was canceled. Replay it to send it again.');
    if (delivery !== undefined && row.delivery === null) throw notFound('delivery');
    if (delivery !== undefined && row.retrying === 0)
      throw conflict(`Only a dead delivery can be tried again; this one is ${row.delivery}.`);
    return { retrying: row.retrying };
  }

  async replay({ organizationId, occurrenceId }: Scope): Promise<ReplayedDto> {
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
    return { occurrence };
  }
}
