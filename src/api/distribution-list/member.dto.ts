import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsString, MinLength, ValidateIf } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';

/** One address of one user in a distribution list. */
export class MemberDto {
  /** @example 31 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example 'ann@example.com' */
  address: string;

  /**
   * The username of the user.
   * @example 'ann@example.com'
   */
  user: string;

  /**
   * The slug of the member's channel; without a chosen channel, the kind of the address.
   * @example 'email'
   */
  channel: string;

  /**
   * Whether the member receives messages.
   * @example true
   */
  active: boolean;

  static from({ id, address, user, channel, active }: MemberDto): MemberDto {
    return { id, address, user, channel, active };
  }
}

export class UpdateMemberDto {
  /**
   * Whether the member receives messages.
   * @example false
   */
  @Optional()
  @IsBoolean()
  active?: boolean;

  /**
   * Slug of a channel of the project or the organization; null: every channel of the notification.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsString()
  @MinLength(1)
  channel?: string | null;
}

/** The number of added recipients. */
export class AddedRecipientsDto {
  /**
   * Recipients that became members.
   * @example 2
   */
  @ApiProperty({ type: 'integer' })
  added: number;

  /**
   * Recipients that were members already.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  existing: number;

  /**
   * Users created for e-mails that had no user in the organization.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  created_users: number;
}
