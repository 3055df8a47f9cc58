import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsObject, IsString } from 'class-validator';
import { Changes, New, Optional, OrNull } from '../../platform/field/optional.decorator.js';
import { IsName, IsSlug } from '../../platform/field/slug.js';
import { Length } from '../../platform/field/text-length.js';

/** A way to send messages, such as e-mail or SMS. */
export class ChannelDto {
  /** @example 'Mail' */
  @IsName()
  name: string;

  /** @example 'mail' */
  @IsSlug()
  slug: string;

  /**
   * The dispatcher that sends the messages; cannot be changed.
   * @example 'email'
   */
  @IsString()
  @Length(1, 50)
  type: string;

  /**
   * While false, only test messages are sent over it; all other messages wait until it is true again.
   * @example true
   */
  @IsBoolean()
  enabled: boolean;

  static from({ name, slug, type, enabled }: ChannelDto): ChannelDto {
    return { name, slug, type, enabled };
  }
}

/** A channel with its settings. */
export class ChannelSettingsDto extends ChannelDto {
  /**
   * All settings of the channel: a change removes settings that it leaves out. `GET /api/dispatchers/` lists the settings of each type. Secrets
   * are masked in responses; a mask that is sent back keeps the secret.
   * @example { "host": "mail.example.com", "from": "Demo <no-reply@example.com>" }
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsObject({ message: 'must be an object' })
  config: Record<string, unknown>;

  /**
   * Slug of another channel of the same project or of the organization. It sends a message after this channel gave up; null: none.
   * @example 'inbox'
   */
  @ApiProperty({ type: String, nullable: true })
  @OrNull()
  @IsString()
  fallback: string | null;
}

export class UpdateChannelDto extends Changes(OmitType(ChannelSettingsDto, ['slug', 'type'])) {}
export class CreateChannelDto extends New(ChannelSettingsDto, ['slug', 'name', 'type']) {}

/** The test message and its recipient. */
export class TestChannelDto {
  /**
   * The address to send to, of the kind that the channel uses. Leave it out if the channel needs no address.
   * @example 'ann@example.com'
   */
  @Optional()
  @IsString()
  @Length(1, 750)
  to?: string;

  /** @example 'A test' */
  @Optional()
  @IsString()
  @Length(1, 255)
  subject?: string;

  /** @example 'This channel works.' */
  @Optional()
  @IsString()
  @Length(1, 2000)
  text?: string;
}

/** The result of the test. */
export class TestedChannelDto {
  /**
   * `sent`: the provider accepted the message. `rejected`: the provider will never accept it. `retry`: a later attempt may succeed.
   * @example 'sent'
   */
  @ApiProperty({ enum: ['sent', 'rejected', 'retry'] })
  outcome: string;

  /**
   * The response of the provider.
   * @example '250 OK: message queued'
   */
  answer: string;

  /** @example 34 */
  @ApiProperty({ type: 'integer' })
  duration_ms: number;
}

/** A count stops here. */
export const MAX_WAITING = 100_000;
/** Of a channel that is on: its page asks every few seconds. */
export const MAX_FAILING = 1000;

/** An attempt that failed. */
export class ChannelFailureDto {
  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /**
   * What the provider answered.
   * @example 'connect ECONNREFUSED 127.0.0.1:25'
   */
  answer: string;

  /** @example '0198c2f0-4f6e-7cc1-9df0-5d3a7f6c2b11' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;
}

/** What waits until a channel is switched on, or until its provider works again. */
export class WaitingForChannelDto {
  /**
   * Of a channel that is off: the messages that would be sent at once if it were switched on. Messages that are not due yet do not count: they
   * wait for quiet hours, for a digest, or for their next attempt. It stops at 100,000. Of a channel that is on and whose last attempts failed:
   * the messages that are not sent yet, without those that wait for quiet hours or a digest. It stops at 1000. Otherwise 0.
   * @example 1200
   */
  @ApiProperty({ type: 'integer', maximum: MAX_WAITING })
  waiting: number;

  /** Since when the first of them waits. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: '2026-11-15T04:00:00.000Z' })
  since: string | null;

  /**
   * Of a channel that is on and whose last attempts failed: how the latest attempt for one of these messages failed, as the provider answered;
   * null: no such attempt is known.
   * @example 'connect ECONNREFUSED 127.0.0.1:25'
   */
  @ApiProperty({ type: String, nullable: true })
  last_failure: string | null;

  /**
   * The latest failed attempt of messages that wait for it, and of those that were given up, of events triggered in the last 24 hours: the newest ten.
   */
  @ApiProperty({
    type: [ChannelFailureDto],
    example: [
      {
        ...{ at: '2030-01-01T08:00:00.000Z', answer: 'connect ECONNREFUSED 127.0.0.1:25' },
        occurrence: '0198c2f0-4f6e-7cc1-9df0-5d3a7f6c2b11',
      },
    ],
  })
  recent_failures: ChannelFailureDto[];
}

/** What waited for the channel is never sent. */
export class DiscardedDto {
  /**
   * The number of messages.
   * @example 1200
   */
  @ApiProperty({ type: 'integer' })
  discarded: number;
}
