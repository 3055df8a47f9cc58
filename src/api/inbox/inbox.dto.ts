import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, Max, Min } from 'class-validator';
import { IsOneOf } from '../../platform/field/one-of.js';
import { Optional } from '../../platform/field/optional.decorator.js';

export const INBOX_STATES = ['unread', 'unseen', 'archived'] as const;
export type InboxState = (typeof INBOX_STATES)[number];

export const MARKS = ['seen', 'read', 'unread', 'archived', 'unarchived'] as const;
export type Mark = (typeof MARKS)[number];

/** The largest id that PostgreSQL's `int` can hold. */
export const LAST_ID = 2 ** 31 - 1;
const MAX_MESSAGES = 500;

export interface InboxRow {
  id: number;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
  seenAt: Date | null;
  readAt: Date | null;
  archivedAt: Date | null;
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

  static from({ id, subject, text, html, createdAt, ...times }: InboxRow): InboxMessageDto {
    const time = (date: Date | null) => date?.toISOString() ?? null;
    return {
      ...{ id, subject, text, html, created_at: createdAt.toISOString() },
      ...{ seen_at: time(times.seenAt), read_at: time(times.readAt), archived_at: time(times.archivedAt) },
    };
  }
}

/** How many messages wait for the user. Archived messages do not count. */
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
   * `read` means seen too. `unread` keeps a message seen. Archived messages are left out of the list and of the counts.
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
   * All messages up to and including this id. They are those of the inbox; with `unarchived`, those that are archived.
   * @example 9
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: LAST_ID })
  @Optional()
  @IsInt({ message: 'must be the id of a message' })
  @Min(1, { message: 'must be the id of a message' })
  @Max(LAST_ID, { message: 'must be the id of a message' })
  up_to?: number;
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
