import { ApiProperty } from '@nestjs/swagger';
import { OccurrenceStatus, Switch, WaitsFor } from '../../platform/database/generated/prisma/enums.js';

/** Each count stops here, so that a summary costs little however much there is. */
export const MAX_COUNT = 1000;
export const MAX_TRIGGERS = 2000;

/** Of one occurrence, so many messages are counted. */
export const MAX_OF_OCCURRENCE = 10_000;

/** Jobs and messages of each state that are looked at. */
export const MAX_LOOKED_AT = 5000;

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

/** An occurrence that is being sent. */
export class SendingOccurrenceDto {
  /** @example '0198c2f0-4f6e-7cc1-9df0-5d3a7f6c2b11' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /** @example 'shop' */
  project: string;

  /** @example 'web' */
  application: string;

  /** @example 'order-paid' */
  event: string;

  /**
   * `pending` and `expanding`: its recipients are not all found yet, and more messages follow.
   * @example 'expanded'
   */
  @ApiProperty({ enum: OccurrenceStatus })
  status: OccurrenceStatus;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * Its messages that were sent, among the first 10,000.
   * @example 450
   */
  @ApiProperty({ type: 'integer', maximum: MAX_OF_OCCURRENCE })
  sent: number;

  /**
   * Its messages that are still to be sent. It stops at 10,000.
   * @example 4550
   */
  @ApiProperty({ type: 'integer', maximum: MAX_OF_OCCURRENCE })
  waiting: number;
}

const REASONS = ['turn', 'retry', 'channel', 'off', 'steps', 'held', ...Object.values(WaitsFor)] as const;
type Reason = (typeof REASONS)[number];

/** What waits for one reason. */
export class WaitingReasonDto {
  /**
   * `turn`: it is being sent, or waits for a worker or the rate of its channel. `retry`: an attempt failed, and the next one follows. `channel`: its channel
   * fails. `off`: something is switched off. `quiet`: quiet hours. `window`: the send window of its notification. `digest`: more messages for the same
   * digest. `send_at`: the time that its trigger asks for. `steps`: the next step of its notification. `held`: somebody's approval.
   * @example 'channel'
   */
  @ApiProperty({ enum: REASONS })
  reason: Reason;

  /**
   * Triggers whose recipients are not found yet, are held, or wait for a step. It counts the first 5000 jobs of each kind.
   * @example 0
   */
  @ApiProperty({ type: 'integer' })
  triggers: number;

  /**
   * Messages. It counts the first 5000 of each kind.
   * @example 120
   */
  @ApiProperty({ type: 'integer' })
  messages: number;

  /**
   * Since when the first of them waits.
   * @example '2030-01-01T07:10:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  since: string | null;

  /**
   * When the first of them is looked at again; null: that depends on something else than the time, or it may be at once.
   * @example '2030-01-01T08:01:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  until: string | null;

  /** With `off`: what is switched off. */
  @ApiProperty({ type: SwitchedOffDto, nullable: true, example: null })
  switched_off: SwitchedOffDto | null;

  /**
   * With `channel`: the slug of its project, if it has one, and its own.
   * @example 'shop/mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;
}

/** A channel whose provider fails. */
export class FailingChannelDto {
  /**
   * The slug of the project that owns the channel; null: the organization owns it.
   * @example 'shop'
   */
  @ApiProperty({ type: String, nullable: true })
  project: string | null;

  /**
   * The slug of the channel.
   * @example 'mail'
   */
  channel: string;

  /**
   * The time of the first failure since the last message that was sent.
   * @example '2030-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  failing_since: string | null;

  /**
   * When the channel rests: the time of the next attempt. Null: it does not rest.
   * @example '2030-01-01T08:01:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_probe_at: string | null;

  /**
   * The messages that wait for it. It stops at 1000.
   * @example 120
   */
  @ApiProperty({ type: 'integer', maximum: MAX_COUNT })
  waiting: number;

  /**
   * How the latest attempt for one of them failed, as the provider answered; null: no such attempt is known.
   * @example 'connect ECONNREFUSED 127.0.0.1:25'
   */
  @ApiProperty({ type: String, nullable: true })
  last_failure: string | null;
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

  /** The occurrences that are being sent, those with the most messages to come first: five of them. */
  @ApiProperty({
    type: [SendingOccurrenceDto],
    example: [
      {
        ...{
          occurrence: '0198c2f0-4f6e-7cc1-9df0-5d3a7f6c2b11',
          project: 'shop',
          application: 'web',
          event: 'order-paid',
        },
        ...{ status: 'expanded', created_at: '2030-01-01T08:00:00.000Z', sent: 450, waiting: 4550 },
      },
    ],
  })
  sending: SendingOccurrenceDto[];

  /** What is not sent yet, by the reason why. */
  @ApiProperty({
    type: [WaitingReasonDto],
    example: [
      {
        ...{
          reason: 'quiet',
          triggers: 0,
          messages: 12,
          since: '2030-01-01T07:10:00.000Z',
          until: '2030-01-01T08:00:00.000Z',
        },
        ...{ switched_off: null, channel: null },
      },
    ],
  })
  waiting: WaitingReasonDto[];

  /** Channels that are on, whose provider fails, and for which messages wait, or that rest: the first five. */
  @ApiProperty({
    type: [FailingChannelDto],
    example: [
      {
        ...{
          project: 'shop',
          channel: 'mail',
          failing_since: '2030-01-01T07:10:00.000Z',
          next_probe_at: '2030-01-01T08:01:00.000Z',
        },
        ...{ waiting: 120, last_failure: 'connect ECONNREFUSED 127.0.0.1:25' },
      },
    ],
  })
  failing_channels: FailingChannelDto[];

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
