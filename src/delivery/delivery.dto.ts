import { ApiProperty } from '@nestjs/swagger';
import { AttemptOutcome, DeliveryStatus, Gate } from '../generated/prisma/enums.js';

export interface DeliveryRow {
  /** A `bigint`, as text. */
  id: string;
  notificationId: number;
  channelId: number;
  userId: number;
  notification: string;
  channel: string | null;
  user: string | null;
  status: DeliveryStatus;
  gate: Gate | null;
  reason: string | null;
  nextAttemptAt: Date | null;
  fallbackOf: string | null;
  attempts: AttemptDto[];
}

export interface DeliveryDetailRow extends DeliveryRow {
  message: MessageDto | null;
}

/** One call to a provider for a delivery. */
export class AttemptDto {
  /**
   * Counts from 1.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  number: number;

  /** @example '2030-01-01T08:00:02.000Z' */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /**
   * How long the provider took.
   * @example 35
   */
  @ApiProperty({ type: 'integer' })
  duration_ms: number;

  /**
   * `sent`: the provider took it; `rejected`: refused for good; `retry`: it failed for a reason that may pass.
   * @example 'sent'
   */
  @ApiProperty({ enum: AttemptOutcome })
  outcome: AttemptOutcome;

  /**
   * The provider's own words.
   * @example '250 2.0.0 Ok: queued'
   */
  answer: string;

  static from({ number, at, duration_ms, outcome, answer }: AttemptDto): AttemptDto {
    return { number, at: new Date(at).toISOString(), duration_ms, outcome, answer };
  }
}

/** One message to one person over one channel. */
export class DeliveryDto {
  /** @example 17 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /**
   * The name of the notification when the event was triggered.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * The slug of the channel; null when it was deleted since.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /**
   * The username of the person; null when the user was deleted since.
   * @example 'ann@acme.test'
   */
  @ApiProperty({ type: String, nullable: true })
  user: string | null;

  /**
   * `pending`: to be sent, now or at `next_attempt_at`; `sent`; `skipped`: a gate decided against it; `dead`: given up.
   * @example 'sent'
   */
  @ApiProperty({ enum: DeliveryStatus })
  status: DeliveryStatus;

  /**
   * With `skipped`: what decided it.
   * @example 'locked'
   */
  @ApiProperty({ type: String, enum: Gate, nullable: true })
  gate: Gate | null;

  /**
   * With `dead`: why.
   * @example 'given up after 8 attempts: 421 try again later'
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  /**
   * With `pending`: when it is tried next; null is as soon as a worker is free.
   * @example '2030-01-01T08:05:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_attempt_at: string | null;

  /**
   * The id of the delivery that was given up before this one took its place.
   * @example 16
   */
  @ApiProperty({ type: 'integer', nullable: true })
  fallback_of: number | null;

  /** Every call to the provider, in order. */
  @ApiProperty({
    example: [
      { number: 1, at: '2030-01-01T08:00:02.000Z', duration_ms: 35, outcome: 'sent', answer: '250 2.0.0 Ok: queued' },
    ],
  })
  attempts: AttemptDto[];

  static from(row: DeliveryRow): DeliveryDto {
    const { id, notification, channel, user, status, gate, reason, nextAttemptAt, fallbackOf, attempts } = row;
    return {
      id: Number(id),
      notification,
      channel,
      user,
      status,
      gate,
      reason,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      fallback_of: fallbackOf === null ? null : Number(fallbackOf),
      attempts: attempts.map(AttemptDto.from),
    };
  }
}

/** What a delivery said, as it was sent last. */
export class MessageDto {
  /**
   * The address it went to; empty when the channel needs none.
   * @example 'ann@acme.test'
   */
  recipient: string;

  /** @example 'Order A-17 paid' */
  subject: string;

  /** @example 'Hi Ann, 120 EUR.' */
  text: string;

  /** @example '<p>Hi Ann</p>' */
  html: string;
}

/** One message to one person over one channel, with what it said. */
export class DeliveryDetailDto extends DeliveryDto {
  /**
   * What it said, as it was sent last; null when it has not left.
   * @example { "recipient": "ann@acme.test", "subject": "Order A-17 paid", "text": "Hi Ann, 120 EUR.", "html": "<p>Hi Ann</p>" }
   */
  @ApiProperty({ type: MessageDto, nullable: true })
  message: MessageDto | null;

  static override from(row: DeliveryDetailRow): DeliveryDetailDto {
    return { ...DeliveryDto.from(row), message: row.message };
  }
}
