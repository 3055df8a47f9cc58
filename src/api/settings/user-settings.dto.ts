import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { LOCALE_MAX_LENGTH } from '../../platform/field/region/locale.js';
import { MAX_RANGES } from '../../platform/field/weekly-range.js';
import type { WeeklyRange } from '../../platform/field/weekly-range.js';
import { CreateWeeklyRangeDto, QUIET_HOURS, WeeklyRangeDto } from './settings.dto.js';

interface UserSettingsRow {
  timeZone: string | null;
  quietHours: unknown;
  locale: string | null;
}

/** The time settings and the locale of a user. */
export class UserSettingsDto {
  /**
   * The clock that counts for the user; null: that of the organization.
   * @example 'America/New_York'
   */
  @ApiProperty({ type: String, nullable: true })
  time_zone: string | null;

  /** When messages to the user wait; null: the quiet hours of the organization. An empty list: none. */
  @ApiProperty({ type: [WeeklyRangeDto], nullable: true, example: QUIET_HOURS })
  quiet_hours: WeeklyRange[] | null;

  /**
   * The language and region that templates format for; null: that of the organization.
   * @example 'de-AT'
   */
  @ApiProperty({ type: String, nullable: true })
  locale: string | null;

  static from({ timeZone, quietHours, locale }: UserSettingsRow): UserSettingsDto {
    return { time_zone: timeZone, quiet_hours: quietHours as WeeklyRange[] | null, locale };
  }
}

/** Fields that you leave out keep their values. */
// `readUserSettings` checks them, as it does for a file.
export class UpdateUserSettingsDto {
  /**
   * The IANA name of a time zone; null: that of the organization.
   * @example 'America/New_York'
   */
  @ApiProperty({ type: String, nullable: true })
  @Allow()
  time_zone?: string | null;

  /**
   * When messages to the user wait; null: the quiet hours of the organization. An empty list: none. At least one hour of the week must
   * be free.
   */
  @ApiProperty({ type: [CreateWeeklyRangeDto], nullable: true, maxItems: MAX_RANGES, example: QUIET_HOURS })
  @Allow()
  quiet_hours?: CreateWeeklyRangeDto[] | null;

  /**
   * A BCP 47 language tag; null: that of the organization.
   * @example 'de-AT'
   */
  @ApiProperty({ type: String, nullable: true, maxLength: LOCALE_MAX_LENGTH })
  @Allow()
  locale?: string | null;
}
