import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import type { Prisma } from '../generated/prisma/client.js';
import { Listing } from '../http/list/listing.js';
import type { Page } from '../http/list/page.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { EventDto } from './event.dto.js';

const eventSelect = { name: true, slug: true } satisfies Prisma.EventSelect;

@Injectable()
export class EventService {
  constructor(private readonly prisma: PrismaService) {}

  list({ applicationId, organizationId }: Scope, page: Page) {
    const read = (after: string | null, take: number) =>
      this.prisma.event.findMany({
        where: { applicationId, organizationId, slug: after === null ? undefined : { gt: after } },
        orderBy: { slug: 'asc' },
        take,
        select: eventSelect,
      });
    return new Listing(page, read, EventDto.from, ({ slug }) => slug);
  }
}
