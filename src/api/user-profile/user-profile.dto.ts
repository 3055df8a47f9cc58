import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Allow, IsArray, IsBoolean, IsObject, IsString } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';
import type { WeeklyRange } from '../../platform/field/weekly-range.js';
import { UpdatePreferencesDto } from '../preference/preference.dto.js';
import { QUIET_HOURS, WeeklyRangeDto } from '../settings/settings.dto.js';
import { AddressDto, CreateAddressDto } from '../user/address.dto.js';
import { UpdatedUserDto, UserFieldsDto } from '../user/user.dto.js';

const PHONE = { name: 'phone', value: '+15551234567' };
const MEMBERSHIP = { project: 'shop', distribution_list: 'Staff', channel: null, active: true };

/** The size of a body: custom fields of 256 KB, and thousands of memberships. */
export const MAX_PROFILE_KB = 1024;

/** A place of a user in a distribution list. */
export class MembershipDto {
  /**
   * Slug of the project.
   * @example 'shop'
   */
  project: string;

  /**
   * Name of the list.
   * @example 'Staff'
   */
  distribution_list: string;

  /** The address that the list uses. */
  @ApiProperty({ type: AddressDto })
  address: AddressDto;

  /**
   * Slug of the channel that reaches the user; null: every channel of the notification.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /**
   * Whether the user receives messages of the list.
   * @example true
   */
  active: boolean;
}

/** A place of a user in a distribution list. Without `address`, the list uses the e-mail of the user. */
export class PutMembershipDto {
  /**
   * Slug of the project.
   * @example 'shop'
   */
  @IsString()
  project: string;

  /**
   * Name of the list, in upper or lower case.
   * @example 'Staff'
   */
  @IsString()
  distribution_list: string;

  /** One of the addresses of the user. */
  @ApiProperty({ type: CreateAddressDto, required: false })
  @Optional()
  @IsObject()
  address?: CreateAddressDto;

  /**
   * Slug of a channel of the project or the organization; null: every channel of the notification.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  @Allow()
  channel?: string | null;

  /**
   * Whether the user receives messages of the list.
   * @example true
   */
  @ApiProperty({ default: true })
  @Optional()
  @IsBoolean()
  active?: boolean;
}

/** A user as GET_PROFILE reads it. */
export interface ProfileRow {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  locked: boolean;
  customFields: Record<string, unknown>;
  timeZone: string | null;
  quietHours: WeeklyRange[] | null;
  locale: string | null;
  addresses: AddressDto[];
}

/** Everything that decides which messages a user gets. */
export class UserProfileDto extends OmitType(UpdatedUserDto, ['id', 'username'] as const) {
  /** Addresses besides the e-mail, the oldest first. Messages use the oldest of their kind. */
  @ApiProperty({ type: [AddressDto], example: [PHONE] })
  addresses: AddressDto[];

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

  /** The lists that the user is on. Left out for a key without `distributionlist:read`, and in a list of users. */
  @ApiProperty({ type: [MembershipDto], required: false, example: [{ ...MEMBERSHIP, address: PHONE }] })
  memberships?: MembershipDto[];

  /** What the user has chosen. Left out for a key without `preference:read`, and in a list of users. */
  @ApiProperty({ type: UpdatePreferencesDto, required: false })
  preferences?: UpdatePreferencesDto;

  static fromRow(row: ProfileRow, memberships?: MembershipDto[], choices?: UpdatePreferencesDto): UserProfileDto {
    return {
      ...{ email: row.email, first_name: row.firstName, last_name: row.lastName, locked: row.locked },
      ...{ custom_fields: row.customFields, addresses: row.addresses },
      ...{ time_zone: row.timeZone, quiet_hours: row.quietHours, locale: row.locale },
      ...(memberships && { memberships }),
      ...(choices && { preferences: { channels: {}, categories: {}, events: {}, ...choices } }),
    };
  }
}

/**
 * A whole user. `first_name`, `last_name` and `custom_fields` are replaced: if you leave them out, they become empty. All other members are
 * replaced only if they are in the body.
 */
export class PutUserProfileDto extends IntersectionType(
  PartialType(PickType(UserFieldsDto, ['email'] as const)),
  OmitType(UserFieldsDto, ['email'] as const),
) {
  /** All lists that the user is on afterwards. Needs `distributionlist:write`, too. */
  @ApiProperty({ type: [PutMembershipDto], example: [MEMBERSHIP] })
  @Optional()
  @IsArray()
  memberships?: PutMembershipDto[];

  /** Everything that the user has chosen afterwards. Needs `preference:write`, too. */
  @ApiProperty({ type: UpdatePreferencesDto })
  @Optional()
  @IsObject()
  preferences?: UpdatePreferencesDto;
}

/** What a line of an upload may change of a user. `memberships` are added. */
export class MergeUserDto extends IntersectionType(
  UserFieldsDto,
  PickType(PutUserProfileDto, ['memberships'] as const),
) {}
