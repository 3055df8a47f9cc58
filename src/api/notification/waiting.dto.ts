import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { DURATION, MAX_DURATION_SECONDS } from '../../platform/field/duration.js';
import { DAYS, TIME_OF_DAY } from '../../platform/field/weekly-range.js';
import type { Day } from '../../platform/field/weekly-range.js';
import { MessageLimitDto } from '../settings/settings.dto.js';
import { DEFAULT_ITEMS, FIRST, KEY, KEY_MAX_LENGTH, MAX_ITEMS, THEN } from './read-waiting.js';

export const KEY_OF_CONTEXT = { type: String, pattern: KEY.source, maxLength: KEY_MAX_LENGTH } as const;

/** When a digest is sent, by the recipient's clock. */
class DigestScheduleDto {
  /** @example ['mon', 'tue', 'wed', 'thu', 'fri'] */
  @ApiProperty({ enum: DAYS, isArray: true, minItems: 1 })
  days: Day[];

  /** @example '09:00' */
  @ApiProperty({ pattern: TIME_OF_DAY.source })
  at: string;
}

/** Without `days`, it is sent every day. */
class CreateDigestScheduleDto extends IntersectionType(
  PickType(DigestScheduleDto, ['at']),
  PartialType(PickType(DigestScheduleDto, ['days'])),
) {}

/** How the messages of a notification to one user are gathered into one message. It has a `window` or a `schedule`. */
export class DigestDto {
  /**
   * It is sent so long after its first item: `90s`, `15m`, `2h` or `1d`.
   * @example '15m'
   */
  window?: string;

  /** It is sent at this time of these days. */
  @ApiProperty({ type: DigestScheduleDto, example: { days: ['mon'], at: '09:00' } })
  schedule?: DigestScheduleDto;

  /**
   * A field of the context, such as `order.id`. Each of its values has a digest of its own.
   * @example 'topic'
   */
  @ApiProperty(KEY_OF_CONTEXT)
  key?: string;

  /**
   * It is sent as soon as it has so many items.
   * @example 50
   */
  @ApiProperty({ type: 'integer', minimum: 2, maximum: MAX_ITEMS })
  max_items: number;

  /**
   * `now`: the first message is sent at once, and only those that follow are gathered. `wait`: the first one waits too.
   * @example 'wait'
   */
  @ApiProperty({ enum: FIRST })
  first: (typeof FIRST)[number];

  /**
   * Whether each item starts the window again.
   * @example true
   */
  sliding?: boolean;
}

/** How the messages of a notification to one user are gathered into one message. It needs a `window` or a `schedule`. */
export class CreateDigestDto extends OmitType(PartialType(DigestDto), ['window', 'schedule', 'max_items', 'first']) {
  /**
   * It is sent so long after its first item: `90s`, `15m`, `2h` or `1d`, or a number of seconds. At most 7 days.
   * @example '15m'
   */
  @ApiProperty({
    oneOf: [
      { type: 'string', pattern: DURATION.source },
      { type: 'integer', minimum: 1, maximum: MAX_DURATION_SECONDS },
    ],
  })
  window?: string | number;

  /** It is sent at this time of these days, by the recipient's clock. */
  @ApiProperty({ type: CreateDigestScheduleDto, example: { days: ['mon'], at: '09:00' } })
  schedule?: CreateDigestScheduleDto;

  /**
   * It is sent as soon as it has so many items.
   * @example 50
   */
  @ApiProperty({ type: 'integer', minimum: 2, maximum: MAX_ITEMS, default: DEFAULT_ITEMS })
  max_items?: number;

  /**
   * `now`: the first message is sent at once, and only those that follow are gathered. `wait`: the first one waits too.
   * @example 'wait'
   */
  @ApiProperty({ enum: FIRST, default: 'wait' })
  first?: (typeof FIRST)[number];
}

/** The most messages of a notification for one user. */
export class NotificationLimitDto extends MessageLimitDto {
  /**
   * A field of the context, such as `order.id`. Each of its values has a limit of its own.
   * @example 'topic'
   */
  @ApiProperty(KEY_OF_CONTEXT)
  key?: string;

  /**
   * What becomes of the messages above it: `drop`: they are not sent. `digest`: they are gathered into one message.
   * @example 'drop'
   */
  @ApiProperty({ enum: THEN })
  then: (typeof THEN)[number];
}

export class CreateNotificationLimitDto extends IntersectionType(
  MessageLimitDto,
  PickType(NotificationLimitDto, ['key']),
) {
  /**
   * What becomes of the messages above it: `drop`: they are not sent. `digest`: they are gathered into one message.
   * @example 'drop'
   */
  @ApiProperty({ enum: THEN, default: 'drop' })
  then?: (typeof THEN)[number];
}
