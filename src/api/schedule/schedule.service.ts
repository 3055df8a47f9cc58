import { Inject, Injectable } from '@nestjs/common';
import { Permission } from '../../auth/permission.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { etagCovers, requireMatch } from '../../platform/http/etag/etag.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { nextSlots } from './cron.js';
import { findSchedule, putSchedule, removeSchedule } from './put-schedule.js';
import type { ScheduleFields } from './put-schedule.js';
import type { PutScheduleDto, ScheduleDto, UpdateScheduleDto } from './schedule.dto.js';

const NEXT_RUNS = 5;
const LAST_RUNS = 100;

@Injectable()
export class ScheduleService {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  async get(scope: Scope, client: Transaction = this.prisma): Promise<ScheduleDto> {
    const found = await this.find(client, scope);
    if (!found) throw notFound('schedule');
    return found;
  }

  async put(scope: Scope, body: PutScheduleDto): Promise<ScheduleDto> {
    requireTrigger(scope, body.options);
    return this.change(scope, async (tx) => {
      await this.write(tx, scope, body);
      return this.get(scope, tx);
    });
  }

  async update(scope: Scope, { enabled }: UpdateScheduleDto): Promise<ScheduleDto> {
    if (enabled) requireTrigger(scope);
    return this.change(scope, async (tx) => {
      const stored = await findSchedule(tx, scope);
      if (!stored) throw notFound('schedule');
      const { cron, timeZone, context, options } = stored;
      const trigger = { context, options } as Pick<ScheduleFields, 'context' | 'options'>;
      if (enabled) {
        requireTrigger(scope, trigger.options);
        await this.write(tx, scope, { cron, time_zone: timeZone, ...trigger, enabled });
      }
      // A schedule whose channels are gone can still be paused.
      else await this.pause(tx, scope);
      return this.get(scope, tx);
    });
  }

  async remove(scope: Scope): Promise<void> {
    await this.change(scope, async (tx) => {
      if (!(await removeSchedule(tx, scope))) throw notFound('schedule');
    });
  }

  private async write(tx: Transaction, scope: Scope, fields: ScheduleFields): Promise<void> {
    const { organizationId, projectId, eventId, quotas } = scope;
    const context = { tx, dispatchers: this.dispatchers, quotas };
    const put = await putSchedule(context, { organizationId, projectId, eventId }, fields);
    if ('errors' in put) throw invalid(put.errors);
  }

  private async pause(tx: Transaction, { organizationId, eventId }: Scope): Promise<void> {
    await tx.schedule.updateMany({ where: { organizationId, eventId, enabled: true }, data: { enabled: false } });
    await tx.scheduleRun.deleteMany({ where: { organizationId, eventId, occurrenceId: null, skipped: null } });
  }

  private async change<Answer>(scope: Scope, work: (tx: Transaction) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        // Before anything is read: resuming writes back the schedule that it has read.
        await lockRows(tx, 'events', [scope.eventId], 'no key update');
        await requireMatch(scope.ifMatch, () => this.find(tx, scope));
        return work(tx);
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound('event');
      throw error;
    }
  }

  /** The runs change by themselves, so the ETag covers the settings only. */
  private async find(client: Transaction, { organizationId, eventId }: Scope): Promise<ScheduleDto | null> {
    const row = await findSchedule(client, { organizationId, eventId });
    if (!row) return null;
    const { cron, timeZone, context, options, enabled } = row;
    const runs = await client.scheduleRun.findMany({
      where: { organizationId, eventId, NOT: { occurrenceId: null, skipped: null } },
      orderBy: { slot: 'desc' },
      take: LAST_RUNS,
    });
    const trigger = { context, options } as Pick<ScheduleDto, 'context' | 'options'>;
    const settings = { cron, time_zone: timeZone, ...trigger, enabled };
    const next = enabled ? nextSlots(cron, timeZone, new Date(), NEXT_RUNS) : [];
    const body = {
      ...settings,
      next_runs: next.map((slot) => slot.toISOString()),
      last_runs: runs.map(({ slot, occurrenceId, skipped }) => ({
        ...{ slot: slot.toISOString(), occurrence: occurrenceId, skipped },
      })),
    };
    return etagCovers(body, settings);
  }
}

/** As for triggering the event with these options. */
function requireTrigger(scope: Scope, options?: Record<string, unknown>): void {
  scope.require(Permission.EventTrigger);
  if (options?.priority === 'critical') scope.require(Permission.EventTriggerCritical);
}
