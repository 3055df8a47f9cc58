import { ApiProperty } from '@nestjs/swagger';
import { Switch } from '../../platform/database/generated/prisma/enums.js';

/** Each count stops here, so that a summary costs little however much there is. */
export const MAX_COUNT = 1000;
export const MAX_TRIGGERS = 2000;

/** Something that is switched off. */
export class SwitchedOffDto {
  /** @example 'event' */
  @ApiProperty({ enum: Switch })
  kind: Switch;

  /**
   * Its slugs from the project down. A notification has its name at the end; a channel of the organization has one slug.
   * @example 'shop/web/order-paid'
   */
  path: string;
}

/** The triggers of one minute. */
export class MinuteDto {
  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  minute: string;

  /**
   * Occurrences that were created in this minute, also by digests. It stops at 2000.
   * @example 12
   */
  @ApiProperty({ type: 'integer', maximum: MAX_TRIGGERS })
  triggers: number;
}

/** What needs attention now. */
export class SummaryDto {
  /**
   * Occurrences that wait until somebody approves or cancels them. It stops at 1000.
   * @example 0
   */
  @ApiProperty({ type: 'integer', maximum: MAX_COUNT })
  held_occurrences: number;

  /**
   * Deliveries that were given up, of events triggered in the last 24 hours. It stops at 1000.
   * @example 0
   */
  @ApiProperty({ type: 'integer', maximum: MAX_COUNT })
  dead_deliveries: number;

  /**
   * Channels whose provider fails, so that their messages wait.
   * @example 0
   */
  @ApiProperty({ type: 'integer' })
  resting_channels: number;

  /** Projects, applications, events, notifications and channels that are switched off: the first 100. */
  @ApiProperty({ example: [{ kind: 'event', path: 'shop/web/order-paid' }] })
  switched_off: SwitchedOffDto[];

  /**
   * Triggers whose recipients are not found yet. It stops at 1000.
   * @example 0
   */
  @ApiProperty({ type: 'integer', maximum: MAX_COUNT })
  waiting_triggers: number;

  /**
   * Messages that are not sent yet: they are being sent, wait for a rate, for their next attempt, or for the end of quiet hours. Without those
   * that wait for a switch or in a digest. It stops at 1000.
   * @example 0
   */
  @ApiProperty({ type: 'integer', maximum: MAX_COUNT })
  waiting_messages: number;

  /**
   * How many seconds ago the oldest job that waits for a worker was due; null: no job waits.
   * @example 1.5
   */
  @ApiProperty({ type: 'number', nullable: true })
  oldest_job_seconds: number | null;

  /** The last 60 minutes, oldest first. The last one is not over yet. */
  @ApiProperty({ example: [{ minute: '2030-01-01T08:00:00.000Z', triggers: 12 }] })
  triggers_per_minute: MinuteDto[];
}
