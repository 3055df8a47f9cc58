import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { positiveInt } from '../field/positive-int.js';
import { Listing } from '../http/list/listing.js';
import { afterId } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { notFound } from '../http/problem.js';
import { Database } from '../prisma/database.js';
import { InboxMessageDto } from './inbox.dto.js';
import type { InboxRow } from './inbox.dto.js';
import { LIST_INBOX, MARK_READ, NEXT_IN_INBOX } from './inbox.sql.js';

/** The largest id that PostgreSQL's `int` can hold. */
const LAST_ID = 2 ** 31 - 1;

/** The user of an inbox, and the key that reads it. */
export type InboxScope = Pick<Scope, 'userId' | 'organizationId' | 'key'>;

/** Messages, and whether others follow. */
export interface InboxPage {
  messages: InboxMessageDto[];
  isCut: boolean;
}

type StreamedRow = InboxRow & { isCut: boolean };

/** In-app messages. A key that is bound to a project or an application sees only the messages of its own branch. */
@Injectable()
export class InboxService {
  constructor(private readonly database: Database) {}

  /** Newest first, so the cursor is an upper bound. */
  list(scope: Scope, page: Page): Listing<InboxRow, InboxMessageDto> {
    const read = async (after: string | null, limit: number) => {
      const upto = after === null ? LAST_ID : afterId(after) - 1;
      return (await this.database.query<InboxRow>('list-inbox', LIST_INBOX, [...visible(scope), upto, limit])).rows;
    };
    return new Listing(page, read, InboxMessageDto.from, ({ id }) => id);
  }

  /** The first messages of the user with `after` < id <= `upto`, ordered by id. */
  async between(scope: InboxScope, after: number, upto: number, most: number): Promise<InboxPage> {
    const values = [...visible(scope), after, upto, most];
    const { rows } = await this.database.query<StreamedRow>('next-in-inbox', NEXT_IN_INBOX, values);
    return { messages: rows.map(InboxMessageDto.from), isCut: rows.length === most || (rows.at(-1)?.isCut ?? false) };
  }

  /** Marking a message as read again changes nothing. */
  async markRead(scope: Scope): Promise<InboxMessageDto> {
    const id = positiveInt(scope.path.message ?? '');
    if (id === null) throw notFound('message');
    const { rows } = await this.database.query<InboxRow>('mark-read', MARK_READ, [...visible(scope), id]);
    const [row] = rows;
    if (!row) throw notFound('message');
    return InboxMessageDto.from(row);
  }
}

/** The first parameters of every statement. */
const visible = ({ userId, organizationId, key }: InboxScope) => [
  userId,
  organizationId,
  key.projectId,
  key.applicationId,
];
