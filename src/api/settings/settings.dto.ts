import { ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { MAX_COUNT, PERIODS } from '../../platform/field/message-limit.js';
import type { Period } from '../../platform/field/message-limit.js';
import { DAYS, END_OF_RANGE, TIME_OF_DAY } from '../../platform/field/weekly-range.js';
import type { Day } from '../../platform/field/weekly-range.js';

/** For examples. */
export const QUIET_HOURS = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:00', to: '07:00' }];

/** A range of each of some days of the week, by the clock of the user. */
export class WeeklyRangeDto {
  /**
   * In the order of the week.
   * @example ['mon', 'tue', 'wed', 'thu', 'fri']
   */
  @ApiProperty({ enum: DAYS, isArray: true, minItems: 1 })
  days: Day[];

  /** @example '22:00' */
  @ApiProperty({ pattern: TIME_OF_DAY.source })
  from: string;

  /**
   * Up to `24:00`. If it is earlier than `from`, the range ends on the next day.
   * @example '07:00'
   */
  @ApiProperty({ pattern: END_OF_RANGE.source })
  to: string;
}

/** Without `days`, it applies to every day. */
export class CreateWeeklyRangeDto extends IntersectionType(
  PickType(WeeklyRangeDto, ['from', 'to']),
  PartialType(PickType(WeeklyRangeDto, ['days'])),
) {}

/** The most messages in a period. */
export class MessageLimitDto {
  /** @example 5 */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_COUNT })
  count: number;

  /**
   * The period begins with the minute, hour, day or week of the user's clock.
   * @example 'day'
   */
  @ApiProperty({ enum: PERIODS })
  per: Period;
}
