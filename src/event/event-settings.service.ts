import { Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { ScopeService } from '../auth/scope.service.js';
import type { Prisma } from '../generated/prisma/client.js';
import { conflict, invalid, notFound } from '../http/problem.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { isParentGone, isUniqueViolation } from '../prisma/unique.js';
import { EventDto } from './event.dto.js';
import type { CreateEventDto, EventSettingsDto, UpdateEventDto } from './event.dto.js';

const select = { name: true, slug: true, enabled: true, retentionDays: true, maxRecipients: true } as const;
type EventRow = Prisma.EventGetPayload<{ select: typeof select }>;

/** Writes events. Their notifications are written by themselves. */
@Injectable()
export class EventSettingsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
  ) {}

  async get(scope: Scope): Promise<EventSettingsDto> {
    const row = await this.prisma.event.findUnique({ where: only(scope), select });
    if (!row) throw notFound('event');
    return show(row);
  }

  async create(scope: Scope, { slug, ...body }: CreateEventDto): Promise<EventSettingsDto> {
    const { organizationId, applicationId } = scope;
    const data = { ...fieldsOf(body), organizationId, applicationId, slug, name: body.name.trim() };
    try {
      return show(await this.prisma.change(actorOf(scope), (tx) => tx.event.create({ data, select })));
    } catch (error) {
      if (isUniqueViolation(error)) throw invalid({ slug: ['belongs to an event that already exists'] });
      if (isParentGone(error)) throw notFound('application');
      throw error;
    }
  }

  async update(scope: Scope, body: UpdateEventDto): Promise<EventSettingsDto> {
    const data = fieldsOf(body);
    return this.write(scope, (tx) => tx.event.update({ where: only(scope), data, select }).then(show));
  }

  /** With its notifications and its occurrences, unless one of those is still at work. */
  async delete(scope: Scope): Promise<void> {
    const { eventId } = scope;
    await this.write(scope, async (tx) => {
      await tx.$executeRaw`set local statement_timeout = 0`; // there may be millions of deliveries
      // Locked, so that nothing is triggered meanwhile.
      const [event] = await tx.$queryRaw<object[]>`
        select id from events where id = ${eventId} and organization_id = ${scope.organizationId} for update`;
      if (!event) throw notFound('event');
      const [open] = await tx.$queryRaw<{ id: string }[]>`
        select id from occurrences o where event_id = ${eventId}
          and (status in ('pending', 'expanding', 'held')
               or exists (select from deliveries d where d.occurrence_id = o.id and d.status = 'pending')) limit 1`;
      if (open)
        throw conflict(`The event cannot be deleted: its occurrence ${open.id} is not done. Cancel it, or wait.`);
      await tx.event.delete({ where: only(scope) });
    });
    this.scopes.forgetAll();
  }

  private async write<Result>(scope: Scope, work: (tx: Prisma.TransactionClient) => Promise<Result>): Promise<Result> {
    try {
      return await this.prisma.change(actorOf(scope), work);
    } catch (error) {
      if (isParentGone(error)) throw notFound('event');
      throw error;
    }
  }
}

const only = ({ eventId, organizationId }: Scope) => ({ id: eventId, organizationId });

const fieldsOf = ({ name, enabled, retention_days, max_recipients }: UpdateEventDto) => ({
  ...{ name: name?.trim(), enabled },
  ...{ retentionDays: retention_days, maxRecipients: max_recipients },
});

const show = ({ enabled, retentionDays, maxRecipients, ...row }: EventRow): EventSettingsDto => ({
  ...EventDto.from(row),
  ...{ enabled, retention_days: retentionDays, max_recipients: maxRecipients },
});
