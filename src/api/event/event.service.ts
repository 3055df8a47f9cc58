import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { BySlug, Put } from '../resource/put.js';
import { Resources } from '../resource/resources.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { EventDto, EventSettingsDto, eventSelect } from './event.dto.js';
import type { CreateEventDto, UpdateEventDto } from './event.dto.js';
import { putEvent, resolvedEventErrors } from './event.write.js';

@Injectable()
export class EventService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly resources: Resources,
  ) {}

  list({ applicationId, organizationId }: Scope, page: Page) {
    const read = (after: string | null, take: number) =>
      this.prisma.event.findMany({
        where: { applicationId, organizationId, ...afterSlug(after) },
        orderBy: bySlug,
        take,
        select: nameAndSlug,
      });
    return new Listing(page, read, EventDto.from, slugOf);
  }

  get({ eventId }: Scope): Promise<EventSettingsDto> {
    return this.read(this.prisma, eventId);
  }

  create(scope: Scope, { slug, ...fields }: CreateEventDto): Promise<EventSettingsDto> {
    return this.resources.create(scope, {
      noun: 'event',
      put: (tx) => this.put(tx, scope, { slug }, fields),
      read: this.read,
    });
  }

  update(scope: Scope, fields: UpdateEventDto): Promise<EventSettingsDto> {
    const id = scope.eventId;
    return this.resources.update(scope, id, {
      noun: 'event',
      put: (tx) => this.put(tx, scope, { id }, fields),
      read: this.read,
    });
  }

  /** Deletes the event with its notifications and occurrences. Refuses while an occurrence is not finished. */
  async remove(scope: Scope): Promise<void> {
    const { eventId: id, organizationId } = scope;
    const remove = (tx: Transaction) => tx.event.delete({ where: { id, organizationId } });
    await this.resources.remove(scope, id, { noun: 'event', read: this.read, remove });
  }

  private async put(tx: Transaction, scope: Scope, identity: BySlug, fields: UpdateEventDto): Promise<Put> {
    const row = await putEvent(tx, scope, identity, fields);
    return (await resolvedEventErrors(tx, scope, fields)) ?? row;
  }

  private readonly read = async (client: Transaction, id: number): Promise<EventSettingsDto> => {
    const row = await client.event.findUnique({ where: { id }, select: eventSelect });
    if (!row) throw notFound('event');
    return EventSettingsDto.from(row);
  };
}
