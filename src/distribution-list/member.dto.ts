import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsString, MinLength, ValidateIf } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';

/** One address of one user in a distribution list. */
export class MemberDto {
  /** @example 31 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example 'ann@acme.test' */
  address: string;

  /**
   * The username of the user.
   * @example 'ann@acme.test'
   */
  user: string;

  /**
   * The slug of the channel the member is reached by; with none chosen, the kind of the address.
   * @example 'email'
   */
  channel: string;

  /**
   * Whether the member is sent anything.
   * @example true
   */
  active: boolean;

  static from({ id, address, user, channel, active }: MemberDto): MemberDto {
    return { id, address, user, channel, active };
  }
}

export class UpdateMemberDto {
  /**
   * Whether the member is sent anything.
   * @example false
   */
  @Optional()
  @IsBoolean()
  active?: boolean;

  /**
   * Slug of a channel of the project or the organization; null: by the kind of the address.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsString()
  @MinLength(1)
  channel?: string | null;
}

/** What adding recipients did. */
export class AddedRecipientsDto {
  /**
   * Recipients that are members now and were not before.
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
   * Users created because the organization did not know the e-mail.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  created_users: number;
}
