import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { Removal } from '../deletion/removal.js';
import type { Prisma } from '../generated/prisma/client.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../http/list/by-slug.js';
import { Listing } from '../http/list/listing.js';
import type { Page } from '../http/list/page.js';
import { notFound } from '../http/problem.js';
import { SlugWriter } from '../org/slug-writer.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { EventDto } from './event.dto.js';
import type { CreateEventDto, EventSettingsDto, UpdateEventDto } from './event.dto.js';

const select = { ...nameAndSlug, enabled: true, retentionDays: true, maxRecipients: true } as const;
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

  async get(scope: Scope): Promise<EventSettingsDto> {
    const row = await this.prisma.event.findUnique({ where: only(scope), select });
    if (!row) throw notFound('event');
    return toSettings(row);
  }

  async create(scope: Scope, { slug, ...body }: CreateEventDto): Promise<EventSettingsDto> {
    const { organizationId, applicationId } = scope;
    const data = { ...fieldsOf(body), organizationId, applicationId, slug, name: body.name.trim() };
    return toSettings(await this.slugs.write(scope, 'event', (tx) => tx.event.create({ data, select }), 'application'));
  }

  async update(scope: Scope, body: UpdateEventDto): Promise<EventSettingsDto> {
    const data = fieldsOf(body);
    return toSettings(
      await this.slugs.write(scope, 'event', (tx) => tx.event.update({ where: only(scope), data, select })),
    );
  }

  /** Deletes the event with its notifications and occurrences. Refuses while an occurrence is not finished. */
  async remove(scope: Scope): Promise<void> {
    await this.removal.remove(scope, 'event', scope.eventId, (tx) => tx.event.delete({ where: only(scope) }));
  }
}

const only = ({ eventId, organizationId }: Scope) => ({ id: eventId, organizationId });

const fieldsOf = ({ name, enabled, retention_days, max_recipients }: UpdateEventDto) => ({
  ...{ name: name?.trim(), enabled },
  ...{ retentionDays: retention_days, maxRecipients: max_recipients },
});

const toSettings = ({ enabled, retentionDays, maxRecipients, ...row }: EventRow): EventSettingsDto => ({
  ...EventDto.from(row),
  ...{ enabled, retention_days: retentionDays, max_recipients: maxRecipients },
});
