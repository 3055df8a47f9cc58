import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import type { IdOrder, IdSpan } from '../../platform/database/order/id-order.js';
import { IdOrders } from '../../platform/database/order/id-orders.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalidField, notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { InboxBrandDto } from './inbox-brand.dto.js';
import type { BrandRow } from './inbox-brand.dto.js';
import { InboxMessageDto, LAST_ID } from './inbox.dto.js';
import type {
  InboxCategoryCountDto,
  InboxCountsDto,
  InboxRow,
  InboxState,
  Mark,
  MarkInboxDto,
  MarkedInboxDto,
} from './inbox.dto.js';
import { MAX_SNOOZED, readUntil } from './read-until.js';
import {
  ABOUT_MESSAGE,
  COUNT_INBOX,
  COUNT_SNOOZED,
  DELETE_MESSAGE,
  INBOX_CATEGORIES,
  MARK_READ,
  NEXT_IN_INBOX,
  NEXT_IN_INBOX_IN_SPANS,
  NOTIFY_OF_STATE,
  START_OF_STREAM,
  listCategoryInSpans,
  listInbox,
  listInboxInSpans,
  listInboxOfCategory,
  markInSpans,
  markMessages,
  markUpTo,
} from './inbox.sql.js';

/** Messages that one statement marks: it holds their locks for some 30 ms. */
const MARK_CHUNK = 1000;

/** The user of an inbox, and the key that reads it. */
export type InboxScope = Pick<Scope, 'userId' | 'organizationId' | 'key'>;

/** Messages, and whether others follow. */
export interface InboxPage {
  messages: InboxMessageDto[];
  /** Null: there is no message. */
  counts: InboxCountsDto | null;
  isCut: boolean;
}

export interface StartOfStream {
  counts: InboxCountsDto;
  /** Null: the organization has none. */
  brand: InboxBrandDto | null;
}

type StreamedRow = InboxRow & InboxCountsDto & { isCut: boolean };

/** In-app messages. A key that is bound to a project or an application sees only the messages of its own branch. */
@Injectable()
export class InboxService {
  constructor(
    private readonly database: Database,
    private readonly orders: IdOrders,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Newest first, so the cursor is an upper bound. */
  list(scope: Scope, page: Page, { state, category }: InboxFilter): Listing<InboxRow, InboxMessageDto> {
    const order = this.orders.of(scope.organizationId, 'inbox_messages');
    const read = async (after: string | null, limit: number) => {
      const upto = after === null ? LAST_ID : order.rank(afterId(after)) - 1;
      const name = `list-inbox-${state ?? 'all'}${category === null ? '' : '-of-category'}`;
      const [natural, spans] =
        category === null
          ? [listInbox(state), listInboxInSpans(state)]
          : [listInboxOfCategory(state), listCategoryInSpans(state)];
      const slug = category === null ? [] : [category];
      const { rows } = await (order.isNatural
        ? this.database.query<InboxRow>(name, natural, [...visible(scope), upto, limit, ...slug])
        : this.database.query<InboxRow>(`${name}-in-spans`, spans, [
            ...visible(scope),
            ...ends(order.between(0, upto).reverse()),
            ...[limit, ...slug],
          ]));
      return rows;
    };
    return new Listing(page, read, InboxMessageDto.from, ({ id }) => id);
  }

  async counts(scope: InboxScope): Promise<InboxCountsDto> {
    const { rows } = await this.database.query<InboxCountsDto>('count-inbox', COUNT_INBOX, visible(scope));
    return rows[0]!;
  }

  async categories(scope: InboxScope): Promise<InboxCategoryCountDto[]> {
    const { rows } = await this.database.query<InboxCategoryCountDto>(
      'inbox-categories',
      INBOX_CATEGORIES,
      visible(scope),
    );
    return rows;
  }

  /** What a stream begins with. */
  async start(scope: InboxScope): Promise<StartOfStream> {
    type Row = InboxCountsDto & BrandRow;
    const { rows } = await this.database.query<Row>('start-of-inbox-stream', START_OF_STREAM, visible(scope));
    const { unread, unseen, ...brand } = rows[0]!;
    return { counts: { unread, unseen }, brand: InboxBrandDto.from(brand, this.config.publicUrl) };
  }

  /** The first messages of the user with `after` < rank <= `upto`, in order. */
  async between(scope: InboxScope, order: IdOrder, after: number, upto: number, most: number): Promise<InboxPage> {
    const spans = () => [...visible(scope), ...ends(order.between(after + 1, upto)), most];
    const { rows } = await (order.isNatural
      ? this.database.query<StreamedRow>('next-in-inbox', NEXT_IN_INBOX, [...visible(scope), after, upto, most])
      : this.database.query<StreamedRow>('next-in-inbox-in-spans', NEXT_IN_INBOX_IN_SPANS, spans()));
    const counts = rows[0] ? { unread: rows[0].unread, unseen: rows[0].unseen } : null;
    const isCut = rows.length === most || (rows.at(-1)?.isCut ?? false);
    return { messages: rows.map(InboxMessageDto.from), counts, isCut };
  }

  /** Marking a message as read again changes nothing. */
  async markRead(scope: Scope): Promise<InboxMessageDto> {
    const id = positiveInt(scope.path.message ?? '');
    if (id === null) throw notFound('message');
    const { rows } = await this.database.query<InboxRow>('mark-read', MARK_READ, [...visible(scope), id]);
    const [row] = rows;
    if (!row) throw notFound('message');
    await this.tell(scope);
    return InboxMessageDto.from(row);
  }

  /** The occurrence and the delivery of a message, which may be gone before it. */
  async about(scope: Scope): Promise<{ occurrence: string | null; delivery: string | null }> {
    const id = positiveInt(scope.path.message ?? '');
    if (id === null) throw notFound('message');
    const values = [...visible(scope), id];
    type Row = { occurrence: string | null; delivery: string | null };
    const { rows } = await this.database.query<Row>('about-inbox-message', ABOUT_MESSAGE, values);
    if (!rows[0]) throw notFound('message');
    return rows[0];
  }

  async remove(scope: Scope): Promise<void> {
    const id = positiveInt(scope.path.message ?? '');
    if (id === null) throw notFound('message');
    const { rowCount } = await this.database.query('delete-inbox-message', DELETE_MESSAGE, [...visible(scope), id]);
    if (!rowCount) throw notFound('message');
    await this.tell(scope);
  }

  async mark(scope: Scope, { as, messages, up_to: upTo, until }: MarkInboxDto): Promise<MarkedInboxDto> {
    const returnsAt = readUntil(as, until);
    if (as === 'snoozed' && upTo !== undefined)
      throw invalidField('up_to', 'not_allowed', 'must be left out: name the messages to snooze');
    if ((messages === undefined) === (upTo === undefined))
      throw invalidField('messages', 'conflict', 'must be given, or up_to instead of it, but not both');
    const changed = messages
      ? await this.markThese(scope, as, messages, returnsAt)
      : await this.markUpTo(scope, as, upTo!);
    if (changed > 0) await this.tell(scope);
    return { changed, ...(await this.counts(scope)) };
  }

  private async markThese(scope: Scope, as: Mark, messages: number[], returnsAt: Date | null): Promise<number> {
    if (returnsAt) await this.refuseTooMany(scope, messages.length);
    const values = [...visible(scope), messages, ...(returnsAt ? [returnsAt] : [])];
    const { rows } = await this.database.query<Marked>(`mark-messages-${as}`, markMessages(as), values);
    return rows[0]!.changed;
  }

  /** The lists leave out snoozed messages one by one, so there must be few. */
  private async refuseTooMany({ userId, organizationId }: Scope, more: number): Promise<void> {
    const values = [userId, organizationId, MAX_SNOOZED];
    const { rows } = await this.database.query<{ snoozed: number }>('count-snoozed', COUNT_SNOOZED, values);
    if (rows[0]!.snoozed + more > MAX_SNOOZED)
      throw invalidField(
        'messages',
        'too_many',
        `would be more than the ${MAX_SNOOZED} messages that a user can snooze`,
      );
  }

  /** In chunks, so that no statement locks many messages or takes long. */
  private async markUpTo(scope: Scope, as: Mark, upTo: number): Promise<number> {
    const order = this.orders.of(scope.organizationId, 'inbox_messages');
    const spans = ends(order.between(0, order.rank(upTo)));
    let changed = 0;
    for (let after: number | null = 0; after !== null;) {
      const values: unknown[] = visible(scope);
      const { rows }: { rows: Marked[] } = await (order.isNatural
        ? this.database.query(`mark-up-to-${as}`, markUpTo(as), [...values, after, upTo, MARK_CHUNK])
        : this.database.query(`mark-in-spans-${as}`, markInSpans(as), [...values, ...spans, after, MARK_CHUNK]));
      changed += rows[0]!.changed;
      after = rows[0]!.changed < MARK_CHUNK ? null : rows[0]!.last;
    }
    return changed;
  }

  /** After the change is committed: whoever hears it counts again. */
  private async tell({ organizationId, userId }: Scope): Promise<void> {
    await this.database.query('notify-of-state', NOTIFY_OF_STATE, [organizationId, userId]);
  }
}

/** Nulls: all that are neither archived nor snoozed. */
interface InboxFilter {
  state: InboxState | null;
  category: string | null;
}

interface Marked {
  changed: number;
  /** The highest id of them; null: there is none. */
  last: number | null;
}

/** The first and the last ids of spans, as parameters. */
const ends = (spans: IdSpan[]) => [spans.map(({ low }) => low), spans.map(({ high }) => high)];

/** The first parameters of every statement. */
const visible = ({ userId, organizationId, key }: InboxScope) => [
  userId,
  organizationId,
  key.projectId,
  key.applicationId,
];
