import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { Listing, rowsFor } from '../common/listing.js';
import type { Page } from '../common/page.js';
import type { Prisma } from '../generated/prisma/client.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { EventDto } from './event.dto.js';

const eventSelect = { name: true, slug: true } satisfies Prisma.EventSelect;

@Injectable()
export class EventService {
  constructor(private readonly prisma: PrismaService) {}

  async list({ applicationId, organizationId }: Scope, page: Page) {
    const rows = await this.prisma.event.findMany({
      where: { applicationId, organizationId, slug: page.after === null ? undefined : { gt: page.after } },
      orderBy: { slug: 'asc' },
      take: rowsFor(page) ?? undefined,
      select: eventSelect,
    });
    return new Listing(rows, page, EventDto.from, ({ slug }) => slug);
  }
}
