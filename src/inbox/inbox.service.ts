import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import type { Prisma } from '../generated/prisma/client.js';
import { Listing } from '../http/list/listing.js';
import { afterId, positiveInt } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { notFound } from '../http/problem.js';
import { Database } from '../prisma/database.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { InboxMessageDto } from './inbox.dto.js';
import { LIST_INBOX } from './inbox.sql.js';

const inboxSelect = {
  id: true,
  subject: true,
  text: true,
  html: true,
  createdAt: true,
  readAt: true,
} satisfies Prisma.InboxMessageSelect;

/** Rows per query. Few, because one message may be half a megabyte. */
const ROWS_AT_ONCE = 20;

/** The largest id that PostgreSQL's `int` can hold. */
const LAST_ID = 2 ** 31 - 1;

type InboxRow = Prisma.InboxMessageGetPayload<{ select: typeof inboxSelect }>;

@Injectable()
export class InboxService {
  constructor(
    private readonly prisma: PrismaService,
    /** Used for the list, because browsers request it often and it may be long. */
    private readonly database: Database,
  ) {}

  /** Newest first, so the cursor is an upper bound. */
  list({ userId, organizationId }: Scope, page: Page): Listing<InboxRow, InboxMessageDto> {
    const read = async (after: string | null, limit: number) => {
      const values = [userId, organizationId, after === null ? LAST_ID : afterId(after) - 1, limit];
      return (await this.database.query<InboxRow>('list-inbox', LIST_INBOX, values)).rows;
    };
    return new Listing(page, read, InboxMessageDto.from, ({ id }) => id, ROWS_AT_ONCE);
  }

  /** The first messages of the user with `after` < id <= `upto`, ordered by id. */
  async between(
    { userId, organizationId }: Pick<Scope, 'organizationId' | 'userId'>,
    after: number,
    upto: number,
    most: number,
  ): Promise<InboxMessageDto[]> {
    const rows = await this.prisma.inboxMessage.findMany({
      where: { userId, organizationId, id: { gt: after, lte: upto } },
      orderBy: { id: 'asc' },
      take: most,
      select: inboxSelect,
    });
    return rows.map(InboxMessageDto.from);
  }

  /** Marking a message as read again changes nothing. */
  async markRead({ userId, organizationId, path }: Scope): Promise<InboxMessageDto> {
    const id = positiveInt(path.message ?? '');
    if (id === null) throw notFound('message');
    await this.prisma.inboxMessage.updateMany({
      where: { id, userId, organizationId, readAt: null },
      data: { readAt: new Date() },
    });
    const row = await this.prisma.inboxMessage.findFirst({
      where: { id, userId, organizationId },
      select: inboxSelect,
    });
    if (!row) throw notFound('message');
    return InboxMessageDto.from(row);
  }
}
