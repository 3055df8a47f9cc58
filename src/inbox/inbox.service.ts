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
import { LIST_INBOX, NEXT_IN_INBOX } from './inbox.sql.js';

const inboxSelect = {
  id: true,
  subject: true,
  text: true,
  html: true,
  createdAt: true,
  readAt: true,
} satisfies Prisma.InboxMessageSelect;

/** The largest id that PostgreSQL's `int` can hold. */
const LAST_ID = 2 ** 31 - 1;

type InboxRow = Prisma.InboxMessageGetPayload<{ select: typeof inboxSelect }>;
type StreamedRow = InboxRow & { isCut: boolean };

@Injectable()
export class InboxService {
  constructor(
    private readonly prisma: PrismaService,
    /** Used to read many messages, because browsers do so often. */
    private readonly database: Database,
  ) {}

  /** Newest first, so the cursor is an upper bound. */
  list({ userId, organizationId }: Scope, page: Page): Listing<InboxRow, InboxMessageDto> {
    const read = async (after: string | null, limit: number) => {
      const values = [userId, organizationId, after === null ? LAST_ID : afterId(after) - 1, limit];
      return (await this.database.query<InboxRow>('list-inbox', LIST_INBOX, values)).rows;
    };
    return new Listing(page, read, InboxMessageDto.from, ({ id }) => id);
  }

  /** The first messages of the user with `after` < id <= `upto`, ordered by id, and whether others follow. */
  async between(
    { userId, organizationId }: Pick<Scope, 'organizationId' | 'userId'>,
    after: number,
    upto: number,
    most: number,
  ): Promise<{ messages: InboxMessageDto[]; isCut: boolean }> {
    const values = [userId, organizationId, after, upto, most];
    const { rows } = await this.database.query<StreamedRow>('next-in-inbox', NEXT_IN_INBOX, values);
    return { messages: rows.map(InboxMessageDto.from), isCut: rows.length === most || (rows.at(-1)?.isCut ?? false) };
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
