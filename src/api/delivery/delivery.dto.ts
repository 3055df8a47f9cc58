import { ApiProperty } from '@nestjs/swagger';
import {
  AttemptOutcome,
  DeliveryStatus,
  Gate,
  Per,
  ReportState,
  SeenBy,
  WaitsFor,
} from '../../platform/database/generated/prisma/enums.js';
import { ROOM } from '../../rules/ruleset/rule.js';
import type { RichMessage } from '../../dispatcher/dispatcher.js';
import type { DeviceResult } from '../../rules/device/device-result.js';
import { DeviceResultDto, shownDevices } from '../device/device-result.dto.js';
import { RenderedRichDto, shownRich } from './rendered-rich.dto.js';
import { UsedLanguageDto, shownLanguage } from './used-language.dto.js';
import type { ListedFacts, ListedUser } from './delivery-sentence.js';

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
  waitsFor: WaitsFor | null;
  carriedBy: CarrierDto | null;
  fallbackOf: string | null;
  repetition: number;
  report: ReportState | null;
  attempts: AttemptDto[];
}

export interface DeliveryDetailRow extends DeliveryRow {
  message: (Omit<MessageDto, keyof RichMessage> & { rich: RichMessage | null }) | null;
  reports: DeliveryReportDto[];
  devices: DeviceResult[] | null;
}

export interface UserDeliveryRow extends DeliveryRow {
  occurrenceId: string;
  trigger: { at: string; event: string; application: string; project: string };
  recipient: ListedUser;
  facts: ListedFacts;
  carrierFacts: ListedFacts | null;
  isCut: boolean;
}

/** The digest that carried a message. */
class CarrierDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /** @example 18 */
  @ApiProperty({ type: 'integer' })
  delivery: number;
}

/** One call to a provider for a delivery. */
class AttemptDto {
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
   * Duration of the call.
   * @example 35
   */
  @ApiProperty({ type: 'integer' })
  duration_ms: number;

  /**
   * `sent`: the provider accepted the message; `rejected`: the provider refused it, and a retry would not help; `retry`: the attempt failed and may be repeated.
   * @example 'sent'
   */
  @ApiProperty({ enum: AttemptOutcome })
  outcome: AttemptOutcome;

  /**
   * The provider's answer.
   * @example '250 2.0.0 Ok: queued'
   */
  answer: string;

  static from({ number, at, duration_ms, outcome, answer }: AttemptDto): AttemptDto {
    return { number, at: new Date(at).toISOString(), duration_ms, outcome, answer };
  }
}

/** One message to one user, or one post to a room, over one channel. */
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
   * The slug of the channel; null when the channel was deleted.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /**
   * `room`: one post to the room of the channel; `person`: a message to one user.
   * @example 'person'
   */
  @ApiProperty({ enum: Per })
  per: Per;

  /**
   * The username of the recipient; null for a post to a room, and when the user was deleted.
   * @example 'ann@example.com'
   */
  @ApiProperty({ type: String, nullable: true })
  user: string | null;

  /**
   * `pending`: waits to be sent, now or at `next_attempt_at`; `sent`; `skipped`: a gate kept it back; `dead`: given up.
   * @example 'sent'
   */
  @ApiProperty({ enum: DeliveryStatus })
  status: DeliveryStatus;

  /**
   * With `skipped`: the gate that kept it back.
   * @example 'locked'
   */
  @ApiProperty({ type: String, enum: Gate, nullable: true })
  gate: Gate | null;

  /**
   * With `dead`: the reason.
   * @example 'given up after 8 attempts: 421 try again later'
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  /**
   * With `pending`: the time of the next attempt, or of its digest; null: as soon as a worker is free.
   * @example '2030-01-01T08:05:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_attempt_at: string | null;

  /**
   * With `pending`: why it is not sent at once. `quiet`: the user has quiet hours; `window`: the send window of the notification; `digest`: it
   * is gathered with others; null: nothing, or a failed attempt.
   * @example 'quiet'
   */
  @ApiProperty({ enum: [...Object.values(WaitsFor), null], type: String, nullable: true })
  waits_for: WaitsFor | null;

  /** With the gate `digested`: the digest that carried it; null when it was purged. */
  @ApiProperty({ type: CarrierDto, nullable: true, example: null })
  carried_by: CarrierDto | null;

  /**
   * For a fallback: the id of the delivery that was given up before.
   * @example 16
   */
  @ApiProperty({ type: 'integer', nullable: true })
  fallback_of: number | null;

  /**
   * How often its step has repeated it: `1` is the first repetition; 0: it has not been repeated, or has no steps. Status and message are those of the last
   * time, `attempts` are those of all.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  repeat: number;

  /**
   * What the provider reported after it had accepted the message, at most: `delayed`, `soft_bounced` (not accepted, but other messages may be),
   * `delivered`, `seen` (opened), `bounced` (the address does not exist), `complained` (marked as spam). Later ones win. Null: nothing was reported.
   * @example 'delivered'
   */
  @ApiProperty({ enum: [...Object.values(ReportState), null], type: String, nullable: true })
  report: ReportState | null;

  /** All calls to the provider, in order. */
  @ApiProperty({
    example: [
      { number: 1, at: '2030-01-01T08:00:02.000Z', duration_ms: 35, outcome: 'sent', answer: '250 2.0.0 Ok: queued' },
    ],
  })
  attempts: AttemptDto[];

  static from(row: DeliveryRow): DeliveryDto {
    const { id, notification, channel, userId, user, status, gate, reason, nextAttemptAt, fallbackOf, attempts } = row;
    const { waitsFor, carriedBy } = row;
    return {
      id: Number(id),
      notification,
      channel,
      per: userId === ROOM ? 'room' : 'person',
      user,
      status,
      gate,
      reason,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      waits_for: status === 'pending' ? waitsFor : null,
      carried_by: carriedBy,
      fallback_of: fallbackOf === null ? null : Number(fallbackOf),
      repeat: row.repetition,
      report: row.report,
      attempts: attempts.map(AttemptDto.from),
    };
  }
}

/** A delivery to a user, with the trigger that caused it. */
export class UserDeliveryDto extends DeliveryDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /**
   * When the event was triggered.
   * @example '2030-01-01T07:55:00.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  triggered_at: string;

  /** @example 'order-paid' */
  event: string;

  /** @example 'web' */
  application: string;

  /** @example 'shop' */
  project: string;

  /**
   * What became of it, and why. `explain` of the occurrence says more.
   * @example 'Ann Lee (ann@example.com) was not sent "Tell the staff" over mail, because the user was locked.'
   */
  sentence: string;

  static override from(row: UserDeliveryRow & { sentence: string }): UserDeliveryDto {
    const { at, ...place } = row.trigger;
    const triggeredAt = new Date(at).toISOString();
    return {
      ...DeliveryDto.from(row),
      occurrence: row.occurrenceId,
      triggered_at: triggeredAt,
      ...place,
      sentence: row.sentence,
    };
  }
}

/** The message of a delivery, as it was sent last. */
class MessageDto extends RenderedRichDto {
  /**
   * The address of the recipient; empty when the channel needs none.
   * @example 'ann@example.com'
   */
  recipient: string;

  /** @example 'Order A-17 paid' */
  subject: string;

  /** @example 'Hi Ann, 120 EUR.' */
  text: string;

  /** @example '<p>Hi Ann</p>' */
  html: string;

  /** Its language, and why; null: the template has no translations. */
  @ApiProperty({ type: UsedLanguageDto, nullable: true, example: null })
  language: UsedLanguageDto | null;
}

/** What the provider reported about a message that it had accepted. */
class DeliveryReportDto {
  /** @example 'delivered' */
  @ApiProperty({ enum: ReportState })
  state: ReportState;

  /** @example '2030-01-01T08:00:05.000Z' */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /**
   * With `seen`: who opened it. A `machine` is a mail program or a scanner of links, which proves only that the message arrived.
   * @example 'human'
   */
  @ApiProperty({ enum: [...Object.values(SeenBy), null], type: String, nullable: true })
  by: SeenBy | null;

  /**
   * The words of the provider.
   * @example '250 2.0.0 OK'
   */
  detail: string;
}

/** One message to one user, or one post to a room, over one channel, with its content. */
export class DeliveryDetailDto extends DeliveryDto {
  /**
   * The message as it was sent last; null when nothing was sent.
   * @example { "recipient": "ann@example.com", "subject": "Order A-17 paid", "text": "Hi Ann, 120 EUR.", "html": "<p>Hi Ann</p>", "from": null, "reply_to": null, "headers": null, "url": null, "image": null, "actions": null, "data": null, "template": null, "left_out": [], "language": null }
   */
  @ApiProperty({ type: MessageDto, nullable: true })
  message: MessageDto | null;

  /** What the provider reported about it, the oldest first. At most 100. */
  @ApiProperty({
    type: [DeliveryReportDto],
    example: [{ state: 'delivered', at: '2030-01-01T08:00:05.000Z', by: null, detail: '250 2.0.0 OK' }],
  })
  reports: DeliveryReportDto[];

  /** What became of it on each device of the user, at most 20. Null: it did not go to registered devices. */
  @ApiProperty({ type: [DeviceResultDto], nullable: true, example: null })
  devices: DeviceResultDto[] | null;

  static override from(row: DeliveryDetailRow): DeliveryDetailDto {
    const { message } = row;
    const reports = row.reports.map((report) => ({ ...report, at: new Date(report.at).toISOString() }));
    const devices = shownDevices(row.devices, row.status);
    if (!message) return { ...DeliveryDto.from(row), message, reports, devices };
    const { rich, language, ...parts } = message;
    const shown = { ...parts, ...shownRich(rich), language: shownLanguage(language) };
    return { ...DeliveryDto.from(row), message: shown, reports, devices };
  }
}
