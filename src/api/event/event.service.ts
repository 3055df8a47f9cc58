import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { categoryIdOf } from '../category/put-category.js';
import { Removal } from '../resource/removal.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalidField, notFound } from '../../platform/http/problem.js';
import { SlugWriter } from '../resource/slug-writer.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { EventDto } from './event.dto.js';
import type { CreateEventDto, EventSettingsDto, UpdateEventDto } from './event.dto.js';

const select = {
  ...{ ...nameAndSlug, enabled: true, retentionDays: true, maxRecipients: true },
  category: { select: { slug: true } },
} as const;
type EventRow = Prisma.EventGetPayload<{ select: typeof select }>;

@Injectable()
export class EventService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly slugs: SlugWriter,
    private readonly removal: Removal,
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

  async get(scope: Scope, client: Transaction = this.prisma): Promise<EventSettingsDto> {
    const row = await client.event.findUnique({ where: only(scope), select });
    if (!row) throw notFound('event');
    return toSettings(row);
  }

  async create(scope: Scope, { slug, ...body }: CreateEventDto): Promise<EventSettingsDto> {
    const { organizationId, applicationId } = scope;
    const create = async (tx: Transaction) => {
      const fields = { ...(await fieldsOf(tx, scope, body)), name: body.name.trim() };
      return tx.event.create({ data: { ...fields, organizationId, applicationId, slug }, select });
    };
    return toSettings(await this.slugs.write(scope, 'event', create, 'application'));
  }

  async update(scope: Scope, body: UpdateEventDto): Promise<EventSettingsDto> {
    const update = async (tx: Transaction) => {
      await this.requireMatch(tx, scope);
      return tx.event.update({ where: only(scope), data: await fieldsOf(tx, scope, body), select });
    };
    return toSettings(await this.slugs.write(scope, 'event', update));
  }

  /** Deletes the event with its notifications and occurrences. Refuses while an occurrence is not finished. */
  async remove(scope: Scope): Promise<void> {
    await this.removal.remove(scope, 'event', scope.eventId, async (tx) => {
      await this.requireMatch(tx, scope);
      await tx.event.delete({ where: only(scope) });
    });
  }

  private requireMatch(tx: Transaction, scope: Scope): Promise<void> {
    return requireMatch(scope.ifMatch, async () => {
      await lockRows(tx, 'events', [scope.eventId], 'no key update');
      return this.get(scope, tx);
    });
  }
}

const only = ({ eventId, organizationId }: Scope) => ({ id: eventId, organizationId });

async function fieldsOf(tx: Transaction, { projectId }: Scope, body: UpdateEventDto) {
  const { name, enabled, retention_days: retentionDays, max_recipients: maxRecipients, category } = body;
  const found = category === undefined ? { id: undefined } : await categoryIdOf(tx, projectId, category);
  if ('problem' in found) throw invalidField('category', 'not_found', found.problem);
  return { name: name?.trim(), enabled, retentionDays, maxRecipients, categoryId: found.id };
}

const toSettings = ({ enabled, retentionDays, maxRecipients, category, ...row }: EventRow): EventSettingsDto => ({
  ...EventDto.from(row),
  ...{ enabled, retention_days: retentionDays, max_recipients: maxRecipients, category: category?.slug ?? null },
});
