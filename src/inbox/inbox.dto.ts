import { ApiProperty } from '@nestjs/swagger';

export interface InboxRow {
  id: number;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
  readAt: Date | null;
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
   * When the message was marked as read; null while it is unread.
   * @example '2030-01-01T08:05:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  read_at: string | null;

  static from({ id, subject, text, html, createdAt, readAt }: InboxRow): InboxMessageDto {
    return { id, subject, text, html, created_at: createdAt.toISOString(), read_at: readAt?.toISOString() ?? null };
  }
}
