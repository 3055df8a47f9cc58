import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { Allow, IsBoolean, IsIn, IsObject, IsString } from 'class-validator';
import { EMAIL_MAX_LENGTH, IsEmailAddress } from '../../platform/field/email.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { MaxLength } from '../../platform/field/text-length.js';
import { MAX_RANGES } from '../../platform/field/weekly-range.js';
import type { WeeklyRange } from '../../platform/field/weekly-range.js';
import { CreateWeeklyRangeDto, WeeklyRangeDto } from '../settings/settings.dto.js';

const MODES = ['REPLACE', 'MERGE', 'IGNORE'] as const;
type Mode = (typeof MODES)[number];

type Json = Record<string, unknown>;

interface UserRow {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  locked: boolean;
}

/** A person in the organization. */
export class UserDto {
  /** @example 17 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example 'ann@example.com' */
  email: string;

  /**
   * Identifier in URLs: the e-mail address.
   * @example 'ann@example.com'
   */
  username: string;

  /** @example 'Ann' */
  first_name: string;

  /** @example 'Lee' */
  last_name: string;

  /**
   * A locked user receives no messages.
   * @example false
   */
  locked: boolean;

  static from({ id, email, firstName, lastName, locked }: UserRow): UserDto {
    return { id, email, username: email, first_name: firstName, last_name: lastName, locked };
  }
}

/** A user, as returned by an update. */
export class UpdatedUserDto extends UserDto {
  /**
   * Free-form JSON.
   * @example { "team": "ops" }
   */
  custom_fields: Json;

  static override from(row: UserRow & { customFields: unknown }): UpdatedUserDto {
    return { ...UserDto.from(row), custom_fields: row.customFields as Json };
  }
}

/** A user, as returned when it is created. */
export class CreatedUserDto extends OmitType(UpdatedUserDto, ['locked'] as const) {
  static from(row: UserRow & { customFields: unknown }): CreatedUserDto {
    const { locked: _, ...user } = UpdatedUserDto.from(row);
    return user;
  }
}

/** The maximum length of a first or a last name. */
const PERSON_NAME_MAX_LENGTH = 150;

export class CreateUserDto {
  /**
   * Unique in the organization, ignoring case. It becomes the username, and an address named `email`.
   * @example 'ann@example.com'
   */
  @ApiProperty({ format: 'email', maxLength: EMAIL_MAX_LENGTH })
  @IsEmailAddress()
  email: string;

  /** @example 'Ann' */
  @Optional()
  @IsString()
  @MaxLength(PERSON_NAME_MAX_LENGTH)
  first_name?: string;

  /** @example 'Lee' */
  @Optional()
  @IsString()
  @MaxLength(PERSON_NAME_MAX_LENGTH)
  last_name?: string;

  /**
   * Free-form JSON.
   * @example { "team": "ops" }
   */
  @Optional()
  @IsObject()
  custom_fields?: Json;
}

export class UpdateUserDto extends PickType(CreateUserDto, ['first_name', 'last_name'] as const) {
  /** @example true */
  @Optional()
  @IsBoolean()
  locked?: boolean;

  /**
   * Free-form JSON. `_mode` decides how it is applied; without `_mode` it is ignored.
   * @example { "team": "ops" }
   */
  @Optional()
  @IsObject()
  custom_fields?: Json;

  /**
   * How `custom_fields` is applied: `REPLACE` replaces the stored object, `MERGE` merges into it at every depth, `IGNORE`
   * leaves it unchanged.
   * @example 'MERGE'
   */
  @ApiProperty({ enum: MODES, default: 'IGNORE' })
  @Optional()
  @IsIn(MODES)
  _mode?: Mode;
}

const QUIET_HOURS = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:00', to: '07:00' }];

/** The time settings of a user. */
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

  static from({ timeZone, quietHours }: { timeZone: string | null; quietHours: unknown }): UserSettingsDto {
    return { time_zone: timeZone, quiet_hours: quietHours as WeeklyRange[] | null };
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
}
