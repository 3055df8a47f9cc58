import { ApiProperty } from '@nestjs/swagger';
import { IsEmailAddress } from '../../../platform/field/email.js';

export class CreateSessionLinkDto {
  /**
   * The e-mail of a member of any organization.
   * @example 'bob@example.com'
   */
  @IsEmailAddress()
  email: string;
}

/** How the service mails links that sign members in. */
export class SessionLinkDto {
  /**
   * Whether it can: an operator has set `SYSTEM_MAIL_URL`.
   * @example true
   */
  mailed: boolean;

  /**
   * Minutes that a link in a mail works.
   * @example 15
   */
  @ApiProperty({ type: 'integer' })
  minutes: number;
}
