import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, IsString, Max, Min } from 'class-validator';
import type { RichMessage } from '../../dispatcher/dispatcher.js';
import { MessageActionDto, shownRich } from '../delivery/rendered-rich.dto.js';
import { IsOneOf } from '../../platform/field/one-of.js';
import { Optional } from '../../platform/field/optional.decorator.js';

export const INBOX_STATES = ['unread', 'unseen', 'archived', 'snoozed'] as const;
export type InboxState = (typeof INBOX_STATES)[number];

export const MARKS = ['seen', 'read', 'unread', 'archived', 'unarchived', 'snoozed', 'unsnoozed', 'deleted'] as const;
export type Mark = (typeof MARKS)[number];

/** The largest id that PostgreSQL's `int` can hold. */
export const LAST_ID = 2 ** 31 - 1;
const MAX_MESSAGES = 500;

const ACKNOWLEDGE = ['open', 'done'] as const;
type InboxAcknowledge = (typeof ACKNOWLEDGE)[number];

export interface InboxRow {
  id: number;
  subject: string;
  text: string;
  html: string;
  rich: RichMessage | null;
  createdAt: Date;
  seenAt: Date | null;
  readAt: Date | null;
  archivedAt: Date | null;
  snoozedUntil: Date | null;
  occurrenceId: string | null;
  acknowledge: InboxAcknowledge | null;
  event: string | null;
  category: InboxCategoryDto | null;
}

/** The category of a message's event. */
class InboxCategoryDto {
  /** @example 'news' */
  slug: string;

  /** @example 'News' */
  name: string;
}

/** An in-app message to a user. */
export class InboxMessageDto {
  /** @example 8 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example 'Order A-17 paid' */
  subject: string;

  /** @example 'Hi Ann, 120 EUR.' */
  text: string;

  /** @example '<p>Hi Ann</p>' */
  html: string;

  /**
   * Where a click on the message leads: an http or https URL, or a path on your site; null: nowhere.
   * @example '/orders/A-17'
   */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;

  /**
   * The https URL of a picture; null: none.
   * @example 'https://acme.test/parcel.png'
   */
  @ApiProperty({ type: String, nullable: true })
  image: string | null;

  /** Links to show as buttons, at most two. */
  @ApiProperty({ type: [MessageActionDto], example: [{ label: 'Pay', url: '/orders/A-17/pay' }] })
  actions: readonly MessageActionDto[];

  /**
   * What the template says to your app; null: nothing.
   * @example { "order": "A-17" }
   */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  data: Readonly<Record<string, unknown>> | null;

  /** The category of its event when it was stored; null: none, or it was deleted. */
  @ApiProperty({ type: InboxCategoryDto, nullable: true, example: { slug: 'news', name: 'News' } })
  category: InboxCategoryDto | null;

  /**
   * The slug of its event; null: the event was deleted.
   * @example 'order-paid'
   */
  @ApiProperty({ type: String, nullable: true })
  event: string | null;

  /**
   * The id of its occurrence, which may be deleted before the message. Null: stored by a release that did not keep it.
   * @example '0198c5a7-3a1e-7b0e-8a53-0d5a5f9b2c11'
   */
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  occurrence: string | null;

  /**
   * Whether somebody should acknowledge its occurrence. `open`: nobody has. `done`: somebody has, or this user, if each acknowledges for themselves. Null: the message does not
   * ask for it, or its occurrence was canceled, has expired, is resolved or was deleted.
   * @example 'open'
   */
  @ApiProperty({ enum: ACKNOWLEDGE, nullable: true })
  acknowledge: InboxAcknowledge | null;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * When the message was first marked as seen or read; null while it is unseen.
   * @example '2030-01-01T08:04:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  seen_at: string | null;

  /**
   * When the message was marked as read; null while it is unread.
   * @example '2030-01-01T08:05:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  read_at: string | null;

  /**
   * When the message was archived; null while it is in the inbox.
   * @example '2030-01-02T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  archived_at: string | null;

  /**
   * When a snoozed message returns; null: it is not snoozed.
   * @example '2030-01-02T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  snoozed_until: string | null;

  static from({ id, subject, text, html, rich, category, event, acknowledge, ...row }: InboxRow): InboxMessageDto {
    const { createdAt, occurrenceId: occurrence, ...times } = row;
    const time = (date: Date | null) => date?.toISOString() ?? null;
    const { url, image, actions, data } = shownRich(rich);
    return {
      ...{
        id,
        subject,
        text,
        html,
        url,
        image,
        actions: actions ?? [],
        data,
        category,
        event,
        occurrence,
        acknowledge,
      },
      created_at: createdAt.toISOString(),
      ...{ seen_at: time(times.seenAt), read_at: time(times.readAt), archived_at: time(times.archivedAt) },
      snoozed_until: time(times.snoozedUntil),
    };
  }
}

/** A category of the messages in an inbox. */
export class InboxCategoryCountDto extends InboxCategoryDto {
  /**
   * Its unread messages among the newest 1,000 unread ones.
   * @example 3
   */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1000 })
  unread: number;
}

/** How many messages wait for the user. Archived and snoozed messages do not count. */
export class InboxCountsDto {
  /**
   * Messages that are not read; 1000 means 1000 or more.
   * @example 3
   */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1000 })
  unread: number;

  /**
   * Messages that are not seen; 1000 means 1000 or more.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1000 })
  unseen: number;
}

/** The data of an event `message`. */
export class InboxEventDto extends InboxMessageDto {
  counts: InboxCountsDto;
}

/** Which messages to mark, and as what. Give `messages` or `up_to`. */
export class MarkInboxDto {
  /**
   * `read` means seen too. `unread` keeps a message seen. Archived and snoozed messages are left out of the list and of the counts. `snoozed` needs
   * `until`; `unsnoozed` brings a message back at once, as it was. `deleted` is for good.
   * @example 'read'
   */
  @ApiProperty({ enum: MARKS })
  @IsOneOf(MARKS)
  as: Mark;

  /**
   * Ids of messages. Those that do not exist change nothing.
   * @example [8, 9]
   */
  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: LAST_ID },
    minItems: 1,
    maxItems: MAX_MESSAGES,
  })
  @Optional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_MESSAGES)
  @IsInt({ each: true, message: 'must be ids of messages' })
  @Min(1, { each: true, message: 'must be ids of messages' })
  @Max(LAST_ID, { each: true, message: 'must be ids of messages' })
  messages?: number[];

  /**
   * All messages up to and including this id. They are those of the inbox; with `unarchived`, those that are archived; with `unsnoozed`, those that
   * are snoozed. Not with `snoozed`.
   * @example 9
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: LAST_ID })
  @Optional()
  @IsInt({ message: 'must be the id of a message' })
  @Min(1, { message: 'must be the id of a message' })
  @Max(LAST_ID, { message: 'must be the id of a message' })
  up_to?: number;

  /**
   * With `snoozed`: when the messages return. In the future, and at most 366 days ahead. A user can have 1,000 snoozed messages.
   * @example '2030-01-02T08:00:00Z'
   */
  @ApiProperty({ format: 'date-time' })
  @Optional()
  @IsString()
  until?: string;
}

/** What a mark has changed, and the counts after it. */
export class MarkedInboxDto extends InboxCountsDto {
  /**
   * Messages that were changed. Those that had the state already do not count.
   * @example 2
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  changed: number;
}
