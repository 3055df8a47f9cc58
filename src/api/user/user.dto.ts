import { ApiProperty, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { IsArray, IsBoolean, IsObject, IsString } from 'class-validator';
import { IsOneOf } from '../../platform/field/one-of.js';
import { EMAIL_MAX_LENGTH, IsEmailAddress } from '../../platform/field/email.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { MaxLength } from '../../platform/field/text-length.js';
import { UpdateUserSettingsDto } from '../settings/user-settings.dto.js';
import { CreateAddressDto } from './address.dto.js';

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

/** A user in the organization. */
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
const USER_NAME_MAX_LENGTH = 150;

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
  @MaxLength(USER_NAME_MAX_LENGTH)
  first_name?: string;

  /** @example 'Lee' */
  @Optional()
  @IsString()
  @MaxLength(USER_NAME_MAX_LENGTH)
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
  @IsOneOf(MODES)
  _mode?: Mode;
}

/** Every field of a user. Files, triggers and requests that write users check them by it. */
export class UserFieldsDto extends IntersectionType(
  CreateUserDto,
  PickType(UpdateUserDto, ['locked'] as const),
  UpdateUserSettingsDto,
) {
  /** Addresses besides the e-mail, which every user has. */
  @ApiProperty({ type: [CreateAddressDto], example: [{ name: 'phone', value: '+15551234567' }] })
  @Optional()
  @IsArray()
  addresses?: CreateAddressDto[];
}
